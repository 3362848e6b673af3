/** A record that the service would refuse: its code, and the problem for a person. */
export class RecordError extends Error {
  override name = 'RecordError'
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}
