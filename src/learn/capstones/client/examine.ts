import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { percentDecoded } from '../../../protocol/http/address.js'
import { ClientFailure, type ClientLab, openClientLab, type Program } from './client-lab.js'
import { FAULTS, type FaultName } from './faults.js'
import type { IdTokenLie } from './liar.js'
import type { Visitor } from './visitor.js'

const HEADER = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url')

/** RFC 8725 §2.1. A client may leave a wrong signature unchecked over TLS (OpenID Connect Core §3.1.3.7), so that is no lie. */
const unsignedIdToken: IdTokenLie = idToken => `${HEADER}.${idToken.split('.')[1] ?? ''}.`

export interface Examined {
  /** In the order of the table. */
  readonly faults: readonly FaultName[]
}

/** The client does not have the answer yet. */
interface Answered {
  readonly visitor: Visitor
  readonly request: URL
  readonly answer: URL
}

const ATTACKER = 'https://attacker.example'

/** Addresses of the attacker as browsers read them. */
const AWAY = [`${ATTACKER}/`, '//attacker.example/', '/\\attacker.example/', '/\t/attacker.example/']

/** Seconds, longer than an access token lives. */
const EXPIRED = 3601

const other = (): string => randomBytes(24).toString('base64url')

class Examination {
  private readonly broken = new Set<FaultName>()

  constructor(private readonly lab: ClientLab) {}

  private note(fault: FaultName, isBroken: boolean): void {
    if (isBroken) this.broken.add(fault)
  }

  /** @throws ClientFailure when an honest person cannot log in */
  private async answered(change: (request: URL) => void = () => {}): Promise<Answered> {
    const visitor = this.lab.visitor()
    const request = await visitor.begin()
    if (request === undefined) {
      throw new ClientFailure('Your client leads nobody from /login to the authorization server.')
    }
    const sent = new URL(request)
    change(sent)
    const answer = await visitor.logIn(sent)
    if (answer === undefined) throw new ClientFailure('The server refused the request of your client.')
    return { visitor, request, answer }
  }

  /** @returns true when the client sent its code on */
  private async redeems(visitor: Visitor, told: URL): Promise<boolean> {
    const code = told.searchParams.get('code')
    await visitor.open(told.href)
    return this.lab.liar.tokenRequests.some(({ fields }) => fields.code === code)
  }

  private async isLoggedIn(visitor: Visitor, name: string): Promise<boolean> {
    return (await visitor.notes())?.includes(name) ?? false
  }

  /** An honest login, to its end. @throws ClientFailure */
  private async honest(): Promise<Answered> {
    const login = await this.answered()
    const { visitor, answer } = login
    await visitor.open(answer.href)
    if (await this.isLoggedIn(visitor, this.lab.places.user.username)) return login
    const end = this.lab.lastLine().slice(0, 200)
    throw new ClientFailure(`An honest person is not logged in at /notes after a login. It wrote: ${end}`)
  }

  private requests([first, second]: readonly [Answered, Answered]): void {
    const of = (name: string) => [first, second].map(({ request }) => request.searchParams.get(name) ?? '')
    const same = ([a, b]: readonly string[]) => a === b
    const missing = (values: readonly string[]) => values.includes('')
    const states = of('state')
    const challenges = of('code_challenge')
    const nonces = of('nonce')
    this.note('no-state', missing(states))
    this.note('constant-state', !missing(states) && same(states))
    this.note('no-pkce', missing(challenges) || same(challenges))
    const methods = of('code_challenge_method')
    this.note('plain-pkce', !missing(challenges) && methods.some(method => method !== 'S256'))
    this.note('nonce-ignored', missing(nonces) || same(nonces))
  }

  private async state(): Promise<void> {
    for (const value of [undefined, other()]) {
      const login = await this.answered()
      const told = new URL(login.answer)
      if (value === undefined) told.searchParams.delete('state')
      else told.searchParams.set('state', value)
      this.note('no-state', await this.redeems(login.visitor, told))
    }
    // Login CSRF: the attacker's answer in the browser of somebody who logs in too.
    const [victim, attacker] = [await this.answered(), await this.answered()]
    const [own, foreign] = [victim, attacker].map(({ request }) => request.searchParams.get('state'))
    // A constant state is another fault: the answer then has the right one.
    if (own !== foreign) this.note('no-state', await this.redeems(victim.visitor, attacker.answer))
  }

  private async issuer(): Promise<void> {
    const { issuer } = this.lab.places
    for (const value of [undefined, ATTACKER, `${issuer}.attacker.example`]) {
      const login = await this.answered()
      const told = new URL(login.answer)
      if (value === undefined) told.searchParams.delete('iss')
      else told.searchParams.set('iss', value)
      this.note('iss-ignored', await this.redeems(login.visitor, told))
    }
  }

  private async nonce(): Promise<void> {
    const { visitor, answer } = await this.answered(request => request.searchParams.set('nonce', other()))
    await visitor.open(answer.href)
    this.note('nonce-ignored', (await visitor.notes()) !== undefined)
  }

  private async idTokens(): Promise<void> {
    for (const isForeign of [false, true]) {
      const { visitor, request, answer } = await this.answered()
      // The foreign one has the right nonce, issuer and signature: its audience alone is wrong.
      const foreign = isForeign
        ? await this.lab.foreignIdToken(request.searchParams.get('nonce') ?? '')
        : undefined
      this.lab.liar.lie = foreign === undefined ? unsignedIdToken : () => foreign
      await visitor.open(answer.href)
      this.lab.liar.lie = undefined
      this.note('id-token-unchecked', (await visitor.notes()) !== undefined)
    }
  }

  private async redirects(visitors: Visitor[]): Promise<void> {
    const { client, issuer } = this.lab.places
    for (const next of AWAY) {
      const visitor = this.lab.visitor()
      visitors.push(visitor)
      const request = await visitor.begin(next)
      const answer = request && (await visitor.logIn(request))
      if (answer) await visitor.open(answer.href)
      const away = visitor.addresses.map(address => new URL(address).origin)
      this.note(
        'open-redirect',
        away.some(origin => origin !== client && origin !== issuer),
      )
    }
  }

  private async reload({ visitor, answer }: Answered): Promise<void> {
    await visitor.open(answer.href)
    const code = answer.searchParams.get('code')
    const sent = this.lab.liar.tokenRequests.filter(({ fields }) => fields.code === code)
    this.note('code-reused', sent.length > 1)
  }

  private async refresh(visitor: Visitor): Promise<void> {
    const name = this.lab.places.user.username
    for (let i = 0; i < 2; i++) {
      this.lab.wait(EXPIRED)
      this.note('old-refresh-token', !(await this.isLoggedIn(visitor, name)))
    }
    const { tokenRequests } = this.lab.liar
    const refused = tokenRequests.some(
      ({ fields, status }) => fields.grant_type === 'refresh_token' && status !== 200,
    )
    this.note('old-refresh-token', refused)
  }

  private addresses(visitors: readonly Visitor[]): void {
    const { liar, secret } = this.lab
    const all = [...liar.addresses, ...visitors.flatMap(({ addresses }) => addresses)].map(percentDecoded)
    const tokens = [...liar.tokens]
    this.note(
      'secret-in-url',
      all.some(address => address.includes(secret)),
    )
    this.note(
      'token-in-url',
      all.some(address => tokens.some(token => address.includes(token))),
    )
  }

  async run(): Promise<Examined> {
    const first = await this.honest()
    const second = await this.honest()
    const visitors = [first.visitor, second.visitor]
    this.requests([first, second])
    await this.reload(second)
    await this.state()
    await this.issuer()
    await this.nonce()
    await this.idTokens()
    await this.redirects(visitors)
    // The clock is set forward at the end alone: the client has its own.
    await this.refresh(first.visitor)
    this.addresses(visitors)
    const { broken } = this
    return { faults: FAULTS.filter(({ name }) => broken.has(name)).map(({ name }) => name) }
  }
}

/** Visits as honest people and as an attacker. @throws ClientFailure when an honest person cannot log in */
export async function examineClient(program: Program, signal: AbortSignal): Promise<Examined> {
  const lab = await openClientLab(program, signal)
  try {
    const ended = once(signal, 'abort').then(() => signal.throwIfAborted())
    signal.throwIfAborted()
    return (await Promise.race([new Examination(lab).run(), ended])) as Examined
  } finally {
    await lab.stop()
  }
}
