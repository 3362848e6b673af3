import { deflateRawSync } from 'node:zlib'
import { decodeSaml, SamlFormatError } from '../../../protocol/saml/encoding.js'
import { unless } from '../../../protocol/values.js'
import { withoutEntities } from '../words.js'

/** Elements whose text names parties, software and kinds of logins, and no person. */
const KEPT_TEXTS = new Set([
  'Issuer',
  'Audience',
  'AuthnContextClassRef',
  'AuthenticatingAuthority',
  'RequesterID',
  'GetComplete',
])

/** Attributes that name parties, times, algorithms and other messages. Every other value is replaced. */
const KEPT_ATTRIBUTES = new Set(
  `ID Id Version IssueInstant InResponseTo NotBefore NotOnOrAfter SessionNotOnOrAfter AuthnInstant Method Format Name NameFormat
  FriendlyName Value Algorithm URI Type type ProtocolBinding ForceAuthn IsPassive AllowCreate Comparison NameQualifier
  SPNameQualifier AssertionConsumerServiceIndex ProviderName PrefixList Encoding Reason Consent`.split(/\s+/),
)

/** Attributes that are addresses. */
const ADDRESSES = new Set(['Destination', 'Recipient', 'AssertionConsumerServiceURL', 'Location'])

/** The functions that values are replaced with. */
interface Replacing {
  readonly value: (text: string) => string
  readonly address: (url: string) => string
  /** A name of parties or software: it stays unless it is known to be a secret. */
  readonly kept: (text: string) => string
  readonly prose: (text: string) => string
}

const written = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** The start of a tag with new values in its attributes; names, namespaces and order stay. */
function redactTag(tag: string, { value, address, kept }: Replacing): string {
  return tag.replace(
    /([^\s=<>"'/]{1,200})(\s{0,9}=\s{0,9})("[^"]*"|'[^']*')/g,
    (all, name: string, mark: string, quoted: string) => {
      const local = localName(name)
      const text = withoutEntities(quoted.slice(1, -1))
      const stays = /^xmlns(:|$)/.test(name) || KEPT_ATTRIBUTES.has(local)
      const replaced = (stays ? kept : ADDRESSES.has(local) ? address : value)(text)
      if (replaced === text) return all
      return `${name}${mark}"${written(replaced)}"`
    },
  )
}

/** XML with new values where persons and secrets are; its elements, comments' places and order stay. */
function redactXml(xml: string, replacing: Replacing): string {
  const open: string[] = []
  return xml.replace(
    /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)|<\?[\s\S]*?(?:\?>|$)|<[^<>"']*(?:(?:"[^"<]*"|'[^'<]*')[^<>"']*)*>|[^<]+/g,
    (part: string, cdata: string | undefined) => {
      if (part.startsWith('<!--')) return '<!-- -->'
      if (part.startsWith('<?'))
        return /^<\?xml version="1\.\d"(?: encoding="[\w-]{1,20}")?\s?\?>$/.test(part) ? part : ''
      if (part.startsWith('<') && cdata === undefined) {
        const name = /^<\/?([^\s/>]+)/.exec(part)?.[1] ?? ''
        if (part.startsWith('</')) open.pop()
        else if (!part.endsWith('/>')) open.push(localName(name))
        return part.startsWith('</') ? part : redactTag(part, replacing)
      }
      const text = cdata ?? withoutEntities(part)
      const inner = text.trim()
      if (inner === '') return part
      const element = open.at(-1) ?? ''
      const { kept, prose, value } = replacing
      const replaced = (KEPT_TEXTS.has(element) ? kept : element === 'StatusMessage' ? prose : value)(inner)
      return replaced === inner ? part : text.replace(inner, () => written(replaced))
    },
  )
}

/**
 * A SAML message with new values, in the form in which it came: base64 in a form, packed in a URL. Returns undefined for a
 * text that is no SAML message.
 */
export const redactSaml = (text: string, replacing: Replacing): string | undefined =>
  unless(SamlFormatError, () => {
    const { xml, binding } = decodeSaml(text.replaceAll(' ', '+'))
    const bytes = Buffer.from(redactXml(xml, replacing))
    return (binding === 'redirect' ? deflateRawSync(bytes) : bytes).toString('base64')
  })

/** The texts and values of a SAML message that are replaced, so that they are known wherever they stand. */
export function valuesInSaml(text: string): readonly string[] {
  const found: string[] = []
  const note = (value: string) => {
    found.push(value)
    return value
  }
  redactSaml(text, { value: note, address: url => url, kept: each => each, prose: each => each })
  return found
}
