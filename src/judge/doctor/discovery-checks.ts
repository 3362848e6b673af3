import { mediaType } from '../../protocol/http/message.js'
import { shown } from '../../protocol/oauth/check.js'
import { parseMetadata } from '../../protocol/oauth/metadata.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { inGroup, type Publication } from './facts.js'
import { fault, type Judgement, notApplicable, pass, passIf } from './finding.js'
import { announcesFapi2 } from './profile-checks.js'

/** Members that must be there (RFC 8414 §2), and those that OpenID Connect Discovery §3 adds. */
const required = ['issuer', 'authorization_endpoint', 'token_endpoint', 'response_types_supported']
const requiredByOpenId = ['jwks_uri', 'subject_types_supported', 'id_token_signing_alg_values_supported']

const isOpenId = (url: string) => url.endsWith('/openid-configuration')

const readable = ({ documents }: Publication) => documents.filter(({ members }) => members)

function plainAddresses({ members, issuer }: Publication): string[] {
  const addresses = Object.entries(members).filter(
    ([name, value]) => /^(issuer|jwks_uri|.*_endpoint)$/.test(name) && typeof value === 'string',
  )
  return [...new Map<string, unknown>([['issuer', issuer], ...addresses])]
    .filter(([, value]) => !/^https:/i.test(String(value)))
    .map(([name]) => name)
}

function list(members: Publication['members'], name: string): readonly unknown[] | undefined {
  const value = members[name]
  return Array.isArray(value) ? value : undefined
}

/**
 * Returns the judgement of a list in the metadata, which shows its values.
 * @param missing the judgement where there is no such list
 */
function listed(
  name: string,
  missing: Judgement,
  isRight: (values: readonly unknown[]) => boolean,
  wrong?: string,
): (publication: Publication) => Judgement {
  return ({ members }) => {
    const values = list(members, name)
    if (values === undefined) return missing
    const all = values.map(shown).join(', ')
    return isRight(values) ? pass(all) : fault(wrong ?? all)
  }
}

const NO_ID_TOKENS = notApplicable('no id_tokens are announced')

const offersRs256 = listed('id_token_signing_alg_values_supported', NO_ID_TOKENS, algorithms =>
  algorithms.includes('RS256'),
)

/** Members in which two documents must not differ. */
const compared = ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri']

/** Checks the metadata that a server publishes. */
export const discoveryChecks = inGroup<Publication>('discovery', [
  {
    name: 'metadata-content-type',
    severity: 'remark',
    title: 'metadata are application/json',
    rule: 'RFC 8414 §3.2',
    judge: publication => {
      const types = readable(publication).map(({ exchange }) =>
        mediaType(exchange.response ?? { headers: [] }),
      )
      return passIf(
        types.every(type => type === 'application/json'),
        types.join(', ') || 'no content type',
      )
    },
  },
  {
    name: 'issuer-exact',
    title: 'metadata name the issuer exactly as it is asked for',
    rule: 'RFC 8414 §3.3',
    judge: ({ issuer, members }) =>
      members.issuer === issuer
        ? pass(issuer)
        : fault(`asked was ${issuer}, named is ${shown(members.issuer)}`),
  },
  {
    name: 'metadata-complete',
    severity: 'weakness',
    title: 'metadata have every required member',
    rule: 'RFC 8414 §2',
    judge: publication => {
      const missing = readable(publication).flatMap(({ url, members = {} }) =>
        [...required, ...(isOpenId(url) ? requiredByOpenId : [])].filter(name => members[name] === undefined),
      )
      return passIf(
        missing.length === 0,
        missing.length === 0 ? 'no required member is missing' : `missing: ${missing.join(', ')}`,
      )
    },
  },
  {
    name: 'metadata-valid',
    title: 'addresses in the metadata are absolute, lists are lists',
    rule: 'RFC 8414 §2',
    judge: ({ members }) => {
      try {
        parseMetadata(members, typeof members.issuer === 'string' ? members.issuer : '')
        return pass('every member that has a form')
      } catch (error) {
        if (error instanceof OAuthError) return fault(error.description)
        throw error
      }
    },
  },
  {
    name: 'metadata-agree',
    severity: 'weakness',
    title: 'both metadata documents say the same',
    rule: 'RFC 8414 §5',
    judge: publication => {
      const [one, other] = readable(publication)
      if (!one?.members || !other?.members) return notApplicable('one document is published')
      const differing = compared.filter(name => one.members?.[name] !== other.members?.[name])
      return differing.length === 0
        ? pass('both documents agree')
        : fault(`they differ in ${differing.join(', ')}`)
    },
  },
  {
    name: 'https',
    title: 'the issuer and every endpoint are https',
    rule: 'RFC 8414 §2',
    judge: publication => {
      const plain = plainAddresses(publication)
      return plain.length === 0 ? pass('every address') : fault(`in the clear: ${plain.join(', ')}`)
    },
  },
  {
    name: 'pkce-announced',
    severity: 'weakness',
    title: 'clients can find out that PKCE with S256 works',
    rule: 'RFC 9700 §2.1.1',
    judge: listed(
      'code_challenge_methods_supported',
      fault('code_challenge_methods_supported is missing'),
      methods => methods.includes('S256'),
    ),
  },
  {
    name: 'rs256-offered',
    severity: 'remark',
    title: 'id_tokens can be signed with RS256',
    rule: 'OpenID Connect Discovery §3',
    judge: publication =>
      announcesFapi2(publication.members)
        ? notApplicable('the server keeps to FAPI 2.0, whose Security Profile §5.4.1-1 forbids RS256')
        : offersRs256(publication),
  },
  {
    name: 'alg-none-not-offered',
    severity: 'weakness',
    title: 'unsigned id_tokens are not offered',
    rule: 'RFC 8725 §3.2',
    judge: listed(
      'id_token_signing_alg_values_supported',
      NO_ID_TOKENS,
      algorithms => !algorithms.includes('none'),
    ),
  },
  {
    name: 'password-not-announced',
    severity: 'remark',
    title: 'clients are not invited to take the passwords of people',
    rule: 'RFC 9700 §2.4',
    judge: listed(
      'grant_types_supported',
      pass('no grant types are announced'),
      grants => !grants.includes('password'),
      'announced: password',
    ),
  },
  {
    name: 'implicit-not-announced',
    severity: 'remark',
    title: 'clients are not invited to get access tokens through the browser',
    rule: 'RFC 9700 §2.1.2',
    judge: ({ members }) => {
      const types = (list(members, 'response_types_supported') ?? []).map(shown)
      const implicit = types.filter(type => type.split(' ').includes('token'))
      return implicit.length === 0
        ? pass('no such response type')
        : fault(`announced: ${implicit.join(', ')}`)
    },
  },
  {
    group: 'logout',
    name: 'logout-addresses',
    title: 'the logout endpoint and the frame of sessions are on https',
    rule: 'OpenID Connect RP-Initiated Logout §2.1',
    judge: ({ members }) => {
      const addresses = ['end_session_endpoint', 'check_session_iframe'].filter(name => name in members)
      if (addresses.length === 0) return notApplicable('the server announces no logout')
      const plain = addresses.filter(name => !/^https:\/\//i.test(shown(members[name])))
      return plain.length === 0 ? pass(addresses.join(', ')) : fault(`not https: ${plain.join(', ')}`)
    },
  },
  {
    group: 'logout',
    name: 'logout-channels',
    severity: 'weakness',
    title: 'metadata promise sid only in channels that inform clients of a logout',
    rule: 'OpenID Connect Back-Channel Logout §2.1',
    judge: ({ members }) => {
      const channels = ['backchannel', 'frontchannel']
      const flags = channels.flatMap(name => [`${name}_logout_supported`, `${name}_logout_session_supported`])
      const there = flags.filter(name => name in members)
      if (there.length === 0) return notApplicable('the server announces no channel')
      const odd = there.filter(name => typeof members[name] !== 'boolean')
      const alone = channels.filter(
        name =>
          members[`${name}_logout_session_supported`] === true &&
          members[`${name}_logout_supported`] !== true,
      )
      if (odd.length > 0) return fault(`neither true nor false: ${odd.join(', ')}`)
      if (alone.length > 0) return fault(`sid is promised, and no channel: ${alone.join(', ')}`)
      return pass(there.filter(name => members[name] === true).join(', ') || 'none')
    },
  },
  {
    group: 'dpop',
    name: 'dpop-algorithms',
    title: 'proofs are signed with asymmetric keys',
    rule: 'RFC 9449 §11.6',
    judge: ({ members }) => {
      const algorithms = list(members, 'dpop_signing_alg_values_supported')
      if (algorithms === undefined) return notApplicable('the server announces no DPoP')
      const weak = algorithms.map(shown).filter(each => each === 'none' || /^HS\d/.test(each))
      return weak.length === 0 ? pass(algorithms.map(shown).join(', ')) : fault(weak.join(', '))
    },
  },
])
