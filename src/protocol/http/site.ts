import type { HttpRequest, HttpResponse } from './message.js'

/** The shape of any event. Each site declares its own union. */
type SomeEvent = { readonly type: string }

/** The context of a request, beside its message. A site that declares its events can publish no others. */
export interface RequestContext<Event extends SomeEvent = SomeEvent> {
  /** Publishes an event that this request caused. The event carries the request's id. */
  readonly publish: (event: Event) => void
}

/** A server: a function from a request to its response. */
export type Handle<Event extends SomeEvent = SomeEvent> = (
  request: HttpRequest,
  context: RequestContext<Event>,
) => Promise<HttpResponse>

/** A mounted server: what the lab puts on a listener. Recording, events and dashboard come with the mounting. */
export interface Site<Event extends SomeEvent = SomeEvent> {
  /** Short and stable, such as `authorization`; events name it. */
  readonly name: string
  readonly handle: Handle<Event>
}
