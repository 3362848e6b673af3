/** A JSON object. Its members may have any type. */
export type JsonObject = Readonly<Record<string, unknown>>

/** True for a parsed value that is a JSON object (RFC 8259 §4): neither a list nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
