import type { Walk } from '../../flows/walk.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import type { HttpRequest, HttpResponse } from '../../protocol/http/message.js'
import type { Client } from '../../protocol/oauth/client.js'
import type { Citation } from '../../protocol/rules/rule.js'
import type { Account, Browser } from './browser.js'

/** A check that can stop an attack, and the section that demands it. */
export interface Defence {
  /** The name of the check, such as `redirect_uri`. */
  readonly check: string
  readonly rule: Citation
}

/** The check that refused, as the server or the page reported it. */
export interface Refusal extends Defence {
  /** The description in the answer or in its event. */
  readonly detail: string
}

/** A person of an attack: a browser, and an account at the lab. */
export interface Person extends Browser {
  readonly account: Account
}

/** The attacker's own server. */
export interface AttackerSite {
  /** Base URL, no trailing slash. Its host is another one than that of the lab, so that no cookie of the lab is sent there. */
  readonly url: string
  /** Answers the requests to a path from now on. Other paths answer an empty page. */
  serve(path: string, answer: (request: HttpRequest) => HttpResponse | Promise<HttpResponse>): void
  /** The requests that came, oldest first. */
  readonly visits: readonly HttpRequest[]
}

/** The place where answers of the authorization server come to the attacker. */
export interface Catcher {
  /** The client in whose name the attacker asks. */
  readonly client: string
  /** The address that the answers go to. The attacker's server answers there. */
  readonly address: string
}

/** A server in the network of the lab, which has no login because only the lab reaches it. */
export interface InnerServer {
  /** The address of the victim's data there. Its name is known inside that network. */
  readonly url: string
  /** Returns the number of requests that it answered. */
  readonly hits: () => number
}

/** The world of an attack: a lab of this user, two people, and the attacker's server. */
export interface Scene {
  readonly urls: { readonly authorization: string; readonly resource: string; readonly client?: string }
  readonly victim: Person
  readonly attacker: Person
  /** Makes one more browser of the victim. */
  readonly anotherBrowser: () => Person
  readonly site: AttackerSite
  readonly catcher: Catcher
  /** A resource that the lab issues tokens for, whose server is the attacker's. */
  readonly foreignResource: string
  /** Absent for an attack that needs none. */
  readonly inner?: InnerServer | undefined
  /** Base URL of plain http that the attacker answers under the host of the lab, as somebody on the path can. */
  readonly pathUrl: string
  /** The address of the honest applications, on the loopback interface (RFC 8252 §7.3). */
  readonly callback: string
  readonly step: Walk['step']
  /** Returns the refusal of an exchange with the lab; undefined when it was not refused. */
  refusal(exchange: Exchange): Promise<Refusal | undefined>
  /** Returns `length` unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  /** Sets the clock of the lab forward, in milliseconds. Returns false for a lab whose clock is not ours. */
  readonly advance: (ms: number) => boolean
  readonly now: () => number
  /** The client with this name, as the lab has it registered. */
  client(id: string): Client
  /** The word that the victim writes down by herself where an attack needs it. The attacker does not read it. */
  readonly secret: string
  /** Returns a SAML assertion about the attacker, as the identity provider signs one for everybody who logs in there. */
  ownAssertion(recipient: string): Promise<string>
  /** Returns a grant about the victim, as the identity provider issues one to a client of the lab (ID-JAG). */
  victimsGrant(clientId: string): Promise<string>
}
