import type { Client } from './client.js'

/** The members of a client that people read, each in any number of languages (RFC 7591 §2.2). */
export const LOCALIZED_MEMBERS = ['client_name', 'client_uri', 'logo_uri', 'tos_uri', 'policy_uri'] as const

/** A member that people read. */
export type LocalizedMember = (typeof LOCALIZED_MEMBERS)[number]

/** The form of a language tag (RFC 5646 §2.1): a language, then subtags. */
const TAG = /^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,8}$/i

/** Most languages of a request that are read. */
const MAX_LOCALES = 20

/** Returns the parts of a name such as `client_name#de-AT`; undefined for the name of any other member. */
export function taggedMember(
  name: string,
): { readonly member: LocalizedMember; readonly tag: string } | undefined {
  const [base = '', tag, ...rest] = name.split('#')
  const member = LOCALIZED_MEMBERS.find(each => each === base)
  return member === undefined || tag === undefined || rest.length > 0 || !TAG.test(tag)
    ? undefined
    : { member, tag }
}

/** Returns a language, and those that stand for it where it is missing: `zh-Hant-TW`, `zh-Hant`, `zh` (RFC 4647 §3.4). */
function withShorter(tag: string): string[] {
  const subtags = tag.split('-')
  const shorter = subtags.map((_, i) => subtags.slice(0, subtags.length - i))
  // A single letter begins an extension, and is nothing without what follows.
  return shorter.filter(each => each.at(-1)!.length > 1 || each.length === 1).map(each => each.join('-'))
}

/**
 * Returns a client as its pages show it to somebody who prefers these languages (OpenID Connect Core §3.1.2.1, Registration
 * §2.1). A member without any of them stays as it is without a tag.
 * @param locales the value of `ui_locales`: language tags with a space between them, the preferred one first
 */
export function inLanguages(client: Client, locales: string | undefined): Client {
  const { localized } = client
  if (localized === undefined || locales === undefined) return client
  const wanted = locales
    .split(' ')
    .filter(each => TAG.test(each))
    .slice(0, MAX_LOCALES)
    .flatMap(each => withShorter(each.toLowerCase()))
  const values = new Map(Object.entries(localized).map(([name, value]) => [name.toLowerCase(), value]))
  const found = LOCALIZED_MEMBERS.flatMap(member => {
    const tag = wanted.find(each => values.has(`${member}#${each}`))
    return tag === undefined ? [] : [[member, values.get(`${member}#${tag}`)!] as const]
  })
  return { ...client, ...Object.fromEntries(found) }
}
