/** The declarations of the lab file, made of its JSON Schema. */
export function labFileTypes(schema: object): string
