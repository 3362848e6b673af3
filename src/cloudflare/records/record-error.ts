/** A record that the service would not take: its code, and what is wrong in words for a person. */
export class RecordError extends Error {
  override name = 'RecordError'
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}
