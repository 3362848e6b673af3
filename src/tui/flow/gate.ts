/** Where a part of a request stands. */
export type PartPlace = 'query' | 'header' | 'form' | 'body'

/** One part of a request that can be changed before it is sent. A body that is no form is one part. */
export interface RequestPart {
  readonly place: PartPlace
  readonly name: string
  readonly value: string
}

/** A request that was not sent yet. */
export interface HeldRequest {
  readonly method: string
  /** Without its query. */
  readonly url: string
  readonly parts: readonly RequestPart[]
}

/** The screen between a flow and its servers: it may stop a request, and is told when no answer comes. */
export interface Gate {
  /**
   * Called before a request is sent.
   * @returns its parts as they are to be sent; the very same list where nothing was changed
   */
  hold(request: HeldRequest): Promise<readonly RequestPart[]>
  /** Called when no answer came. @returns whether to send the request again */
  noAnswer(why: string): Promise<boolean>
}
