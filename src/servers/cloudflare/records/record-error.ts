/** The error for a record that the service would refuse, with its code. */
export class RecordError extends Error {
  override name = 'RecordError'
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}
