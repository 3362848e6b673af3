/** A refused query: the status, and the text that the service documents. */
export class GraphqlRefusal extends Error {
  override name = 'GraphqlRefusal'
  constructor(
    readonly status: number,
    message: string,
    /** The path of the refused field, from the root. */
    readonly path: readonly string[] | null = null,
  ) {
    super(message)
  }
}
