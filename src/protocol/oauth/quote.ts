/** A value of a lab file in a message: short, on one line, without control characters. */
export function quote(value: unknown): string {
  const written = JSON.stringify(value) ?? String(value)
  return written.length > 80 ? `${written.slice(0, 79)}…` : written
}
