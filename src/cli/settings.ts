/** `worktrack settings …`: what administrators set for all. */
import { askPassword } from './ask-password.js';
import { CommandError, exitCodes } from './command-error.js';
import { type LocalService, withService } from './local-service.js';
import { type Format, say, showOne } from './output.js';

type Settings = Record<string, unknown>;

export async function getSettings(env: NodeJS.ProcessEnv, name: string | undefined, format: Format): Promise<void> {
  await withService(env, async (service) => show(await settingsOf(service), name, format));
}

const secretName = 'SystemPassword';

/** Values are JSON where they can be, else texts. Without a value it is a password, which is asked for. */
export async function setSetting(
  env: NodeJS.ProcessEnv,
  { name, value }: { name: string; value?: string },
  format: Format,
): Promise<void> {
  const isSecret = name.toLowerCase() === secretName.toLowerCase();
  if (isSecret && value)
    throw new CommandError(`${secretName} is asked for, or read from standard input.`, exitCodes.usage);
  if (!isSecret && value === undefined) throw new CommandError(`The value of ${name} is missing.`, exitCodes.usage);
  const chosen = isSecret && value === undefined ? await askPassword(secretName) : value!;
  await withService(env, async (service) => {
    await service.ask('POST', 'GlobalSettings', { body: { [name]: isSecret ? chosen : parsed(chosen) } });
    show(await settingsOf(service), isSecret ? undefined : name, format);
  });
}

async function settingsOf(service: LocalService): Promise<Settings> {
  const { Id: _id, ResourceType: _type, ...settings } = await service.ask<Settings>('GET', 'GlobalSettings/1');
  return settings;
}

function show(settings: Settings, name: string | undefined, format: Format): void {
  if (name === undefined) showOne(settings, format);
  else showSetting(settings, name, format);
}

function showSetting(settings: Settings, name: string, format: Format): void {
  const key = Object.keys(settings).find((each) => each.toLowerCase() === name.toLowerCase());
  if (key === undefined) throw new CommandError(`There is no setting '${name}'.`);
  if (format.json) showOne({ [key]: settings[key] }, format);
  else say(String(settings[key] ?? ''));
}

function parsed(value: string): unknown {
  try {
    const scalar: unknown = JSON.parse(value);
    return typeof scalar === 'object' && scalar !== null ? value : scalar;
  } catch {
    return value;
  }
}
