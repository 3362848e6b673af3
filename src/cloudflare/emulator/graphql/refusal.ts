/** A query that is not answered: the status, and what is wrong in the words the service documents. */
export class GraphqlRefusal extends Error {
  override name = 'GraphqlRefusal'
  constructor(
    readonly status: number,
    message: string,
    /** The nodes it is about, from the root. */
    readonly path: readonly string[] | null = null,
  ) {
    super(message)
  }
}
