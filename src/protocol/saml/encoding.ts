import { inflateRawSync } from 'node:zlib'

/** Longest message, in bytes, packed or unpacked. Real ones have fewer than 100 kB. */
export const MAX_SAML = 1024 * 1024

/** The error for a text that is no SAML message. The message gives the reason. */
export class SamlFormatError extends Error {
  override name = 'SamlFormatError'
}

/** The signature of a message in a URL: it stands beside the message (SAML 2.0 Bindings §3.4.4.1). */
export interface QuerySignature {
  /** The signed part of the query, as it was sent. */
  readonly signed: string
  /** The identifier of the algorithm. */
  readonly algorithm: string
  readonly value: Buffer
}

/** A SAML message as it travelled. */
export interface CarriedSaml {
  readonly xml: string
  /** `redirect`: packed into a URL; `post`: base64 in a form; `xml`: as it is. */
  readonly binding: 'redirect' | 'post' | 'xml'
  readonly relayState?: string
  readonly querySignature?: QuerySignature
}

const PARAMETERS = ['SAMLResponse', 'SAMLRequest']

/**
 * Reads a SAML message: XML; base64 as in a form (SAML 2.0 Bindings §3.5.4); packed and base64 as in a URL (§3.4.4); a
 * whole URL, or the body of a form, with or without its percent signs.
 * @throws SamlFormatError
 */
export function decodeSaml(text: string): CarriedSaml {
  const given = text.replace(/^\ufeff/, '').trim()
  if (given.length > MAX_SAML * 2) throw new SamlFormatError(`it is longer than ${MAX_SAML} bytes`)
  if (/^<(!doctype\s+html|html)\b/i.test(given)) {
    throw new SamlFormatError('it is an HTML page; the message is the value of its field SAMLResponse')
  }
  if (given.startsWith('<')) return { xml: given, binding: 'xml' }
  if (/(^|[?&])SAML(Response|Request)=/.test(given)) return fromParameters(given)
  return unpacked(percentDecoded(given))
}

/** Reads the message among the parameters of a URL or of a form. */
function fromParameters(given: string): CarriedSaml {
  const end = given.indexOf('#')
  const query = (end < 0 ? given : given.slice(0, end)).slice(given.indexOf('?') + 1)
  const raw = new Map(
    query.split('&').map(pair => {
      const at = pair.indexOf('=')
      return at < 0 ? ([pair, ''] as const) : ([pair.slice(0, at), pair.slice(at + 1)] as const)
    }),
  )
  const name = PARAMETERS.find(each => raw.has(each)) ?? ''
  const relay = raw.get('RelayState')
  const [algorithm, value] = [raw.get('SigAlg'), raw.get('Signature')]
  // The order of the signed parameters is fixed, whatever their order in the URL.
  const signed = [name, 'RelayState', 'SigAlg'].filter(each => raw.has(each))
  return {
    ...unpacked(percentDecoded(raw.get(name) ?? '')),
    ...(relay !== undefined && { relayState: percentDecoded(relay.replaceAll('+', ' ')) }),
    ...(algorithm !== undefined &&
      value !== undefined && {
        querySignature: {
          signed: signed.map(each => `${each}=${raw.get(each)}`).join('&'),
          algorithm: percentDecoded(algorithm),
          value: Buffer.from(percentDecoded(value), 'base64'),
        },
      }),
  }
}

function percentDecoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    throw new SamlFormatError('it has a percent sign that begins no character')
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function unpacked(value: string): CarriedSaml {
  const base64 = value.replace(/[\r\n\t ]/g, '')
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(base64)) {
    throw new SamlFormatError('it is neither XML nor base64')
  }
  const bytes = Buffer.from(base64, 'base64')
  const isXml = /^(\xef\xbb\xbf)?\s*</.test(bytes.toString('latin1', 0, 200))
  try {
    const xml = decoder.decode(isXml ? bytes : inflateRawSync(bytes, { maxOutputLength: MAX_SAML })).trim()
    if (xml.startsWith('<')) return { xml, binding: isXml ? 'post' : 'redirect' }
  } catch {
    // Said below: neither packed nor UTF-8.
  }
  throw new SamlFormatError('its base64 holds no XML, packed or not')
}
