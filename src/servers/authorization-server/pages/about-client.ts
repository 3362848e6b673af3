import { type Html, html } from '../../../protocol/http/page.js'
import type { Client } from '../../../protocol/oauth/client.js'

/** The pages that a client may name, with their words for people (OpenID Connect Registration §2). */
const PAGES = [
  ['client_uri', 'About it'],
  ['policy_uri', 'What it does with your data'],
  ['tos_uri', 'Its terms of service'],
] as const

/** Origins that a Content-Security-Policy can name: a host of a URL may hold `;` and `,`, which begin another directive. */
const NAMEABLE = /^https?:\/\/[\w.-]+(:\d+)?$/

/** Returns the origins that a page about a client loads a picture from. */
export function imageOrigins({ logo_uri: logo }: Client): readonly string[] {
  const origin = logo === undefined ? '' : new URL(logo).origin
  return NAMEABLE.test(origin) ? [origin] : []
}

/** Returns the logo of a client. It has no text of its own: the name stands beside it. */
export function logoOf(client: Client): Html | undefined {
  const { logo_uri: logo } = client
  if (logo === undefined || imageOrigins(client).length === 0) return undefined
  return html`<p><img src="${new URL(logo).href}" alt="" width="64" height="64" referrerpolicy="no-referrer"></p>\n`
}

/** Returns links to the pages that a client names about itself. The host of each is shown, because nothing proves the client. */
export function linksOf(client: Client): Html | undefined {
  const named = PAGES.flatMap(([member, words]) => {
    const address = client[member]
    return address === undefined ? [] : [{ words, url: new URL(address) }]
  })
  if (named.length === 0) return undefined
  const link = ({ words, url }: (typeof named)[number]) =>
    html`<li><a href="${url.href}" target="_blank" rel="noopener noreferrer">${words}</a><small>${url.host}</small></li>\n`
  return html`\n<ul>
${named.map(link)}</ul>`
}
