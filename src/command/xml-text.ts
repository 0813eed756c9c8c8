/** Whether XML 1.0 can carry a text: control characters and lone surrogates could never be answered in XML. */
export function isXmlText(said: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are refused
  return said.isWellFormed() && !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(said);
}
