import type { Client } from '../../../protocol/oauth/client.js'
import { cimd, type Rule } from '../../../protocol/rules/rule.js'
import type { Publish } from '../events.js'
import type { AuthorizationServerPorts, CallKind, DocumentKind, FetchDocument } from '../settings.js'

/** The kind of a failed fetch. `busy`: this server fetches too much now. `network`: no readable answer came. */
type FailureKind = 'address' | 'status' | 'size' | 'busy' | 'network'

/** A document of a client that cannot be had. The message is the problem in one line. */
export class FetchFailure extends Error {
  override name = 'FetchFailure'
  constructor(
    readonly kind: FailureKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

const RULES: Readonly<Record<FailureKind, Rule>> = {
  address: cimd('8.6'),
  status: cimd('5'),
  size: cimd('8.7'),
  busy: cimd('5.1'),
  network: cimd('5.1'),
}

/** Returns the rule of the draft on client ID metadata documents by which a failed fetch refuses its client. */
export function failureRule(error: unknown): Rule {
  return RULES[error instanceof FetchFailure ? error.kind : 'network']
}

/** The problem of a document for the client. A page could learn from the cause, or from the time, what listens beside this server. */
export const UNREADABLE = 'this server cannot read it; the event of the lab names the cause'

/** The requests, by their `publish`, whose answers depend on a document of a client, fetched now or before. */
const dependent = new WeakSet<Publish>()

/** Marks a request: no script of another origin may read its error, which says what is at an address that a stranger chose. */
export function markDependent(publish: Publish): void {
  dependent.add(publish)
}

/** True for a request that was marked. */
export function isDependent(publish: Publish): boolean {
  return dependent.has(publish)
}

/** Shortest time of a failure, in milliseconds. */
const FLOOR = 1000

/** Fetches and reads a document of a client. Every failure takes its time. @throws Error with the cause, for the event */
type ReadDocument = <Read>(
  address: { readonly url: string; readonly accept: string; readonly kind: DocumentKind },
  read: (answer: Awaited<ReturnType<FetchDocument>>) => Read,
) => Promise<Read>

/** Makes the reader of documents. @param ports.fetchDocument absent: no address is asked */
export function documentReader({ fetchDocument, clientCalls }: DocumentPorts): ReadDocument {
  return async ({ url, accept, kind }, read) => {
    const floor = clientCalls?.pause(FLOOR)
    try {
      if (fetchDocument === undefined) throw new Error('this server fetches no documents of clients')
      return read(await fetchDocument(url, accept, kind))
    } catch (error) {
      await floor
      throw error
    }
  }
}

/** The ports by which documents of clients are fetched. */
export type DocumentPorts = {
  readonly [Port in 'fetchDocument' | 'clientCalls']?: AuthorizationServerPorts[Port] | undefined
}

/** Returns the kind of the addresses that a client names in its registration. A stranger may have chosen them. */
export function documentKind({ introduced }: Pick<Client, 'introduced'>): CallKind {
  return introduced === undefined ? 'registered' : 'introduced'
}
