import type { Rule } from './rule.js'

/** The part of a lab whose defence a weak mode switches off. */
export type WeakSite = 'authorization-server' | 'resource-server' | 'demo-client'

/** A defence that can be switched off on purpose, so that people see what it is for. */
interface Mode {
  /** Lower case with hyphens; people type it: `serve --weak NAME`. */
  readonly name: string
  readonly at: WeakSite
  /** The section that demands the defence, such as `RFC 9700 §4.1.3`. */
  readonly rule: Rule
  /** The behaviour without the defence; completes `WEAK on purpose: …`. */
  readonly sentence: string
  /** The gain of an attacker, in one clause. */
  readonly opens: string
}

/** Every weak mode, in the order of the sites, and at each site in the order of a flow. */
export const WEAK_MODES = [
  {
    name: 'redirect-prefix',
    at: 'authorization-server',
    rule: 'RFC 9700 §4.1.3',
    sentence: 'accepts any redirect address that begins like a registered one',
    opens: 'an open redirector behind a registered address carries codes to the attacker',
  },
  {
    name: 'redirect-any',
    at: 'authorization-server',
    rule: 'RFC 6749 §3.1.2.3',
    sentence: 'accepts any redirect address',
    opens: 'a link with the attacker’s address brings the victim’s code to the attacker',
  },
  {
    name: 'no-iss',
    at: 'authorization-server',
    rule: 'RFC 9207 §2',
    sentence: 'does not name itself in authorization responses',
    opens: 'a client of two servers can be made to send a code of one to the other (mix-up)',
  },
] as const satisfies readonly Mode[]

/** The name of a weak mode. */
export type WeakName = (typeof WEAK_MODES)[number]['name']

/** A weak mode of the table. */
export type WeakMode = Mode & { readonly name: WeakName }

/** The names of the weak modes of one site. */
export type WeakNameAt<Site extends WeakSite> = Extract<
  (typeof WEAK_MODES)[number],
  { readonly at: Site }
>['name']

/** The names of all weak modes, in the order of the table. */
export const WEAK_NAMES: readonly WeakName[] = WEAK_MODES.map(({ name }) => name)

/** Returns the weak modes with these names, in the order of the table. */
export function weakModes(names: readonly WeakName[]): readonly WeakMode[] {
  return WEAK_MODES.filter(({ name }) => names.includes(name))
}

/** Returns the names that belong to a site, in the order of the table. */
export function weakNamesAt<Site extends WeakSite>(
  site: Site,
  names: readonly WeakName[],
): readonly WeakNameAt<Site>[] {
  return weakModes(names)
    .filter(({ at }) => at === site)
    .map(({ name }) => name as WeakNameAt<Site>)
}

/** Returns the sentence that every page and screen of a weak lab shows; undefined without weak modes. */
export function weakNotice(names: readonly WeakName[]): string | undefined {
  const sentences = weakModes(names).map(({ sentence }) => sentence)
  return sentences.length === 0 ? undefined : `WEAK on purpose: ${sentences.join('; ')}`
}
