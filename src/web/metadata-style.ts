/** Makes a page of descriptions of resources in XML, whose texts are all attributes. */
const item = ':is(ResourceFieldMetadataDescription, ResourceCollecitonFieldMetadataDescription)';
const kind = ':is(ResourceMetadataBaseResourceItemDescription, ResourceMetadataDerivedResourceItemDescription)';

export const metadataStyle = `:root { display: block; max-width: 80rem; margin: 0 auto; padding: 1.5rem; color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
:root * { display: block; }
ResourceMetadataDescriptionIndex::before { content: "Resources"; font-size: 1.8rem; font-weight: 650; }
ResourceMetadataDescriptionIndex > * { padding: .4rem 0; border-bottom: 1px solid #8886; }
ResourceMetadataDescription::before { content: attr(Name); font-weight: 650; }
ResourceMetadataDescriptionIndex > *::after { content: attr(Description) "\\A" attr(Uri); display: block; white-space: pre-line; }
:root[Name]::before { font-size: 1.8rem; }
:root[Name]::after { content: attr(Description); display: block; }
${kind}::before { content: attr(Name) "  " attr(Uri); }
ResourceMetadataBaseResourceDescription::before { content: "Base"; font-weight: 650; }
ResourceMetadataDerivedResourceDescription::before { content: "Kinds"; font-weight: 650; }
:is(ResourceMetadataBaseResourceDescription, ResourceMetadataDerivedResourceDescription):empty { display: none; }
ResourceMetadataPropertiesResourceValuesDescription::before { content: "Values"; }
ResourceMetadataPropertiesResourceReferencesDescription::before { content: "References"; }
ResourceMetadataPropertiesResourceCollectionsDescription::before { content: "Collections"; }
ResourceMetadataPropertiesDescription > *::before { display: block; margin-top: 1.5rem; font-size: 1.2rem; font-weight: 650; }
${item} { padding: .25rem 0; border-bottom: 1px solid #8886; }
${item}::before { content: attr(Name) ": "; font-weight: 650; }
${item}::after { content: attr(Type) "  " attr(Description); }
${item}[CanSet="false"]:not([CanAdd="true"])::after { content: attr(Type) ", read only  " attr(Description); }
${item}[IsRequired="true"]::after { content: attr(Type) ", required  " attr(Description); }
ResourceMetadataRemarksDescription::before { content: attr(Body); display: block; margin-top: 1.5rem; }
`;
