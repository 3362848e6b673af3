import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readMcpChallenge } from '../../../src/flows/mcp/challenge.js'
import { absentIssCheck, issVerdict, withoutForeignError } from '../../../src/flows/mcp/iss-rules.js'
import {
  authOf,
  chooseRegistration,
  registeredClient,
  registrationRequest,
} from '../../../src/flows/mcp/register.js'
import { RULES } from '../../../src/flows/mcp/revisions.js'
import { selectScope, unitedScope } from '../../../src/flows/mcp/scope-selection.js'
import { forAll } from '../../support/for-all.js'
import { answered } from './support.js'

const rules = RULES['2026-07-28']
const issuer = 'https://id.example'
const metadata = { issuer, registration_endpoint: `${issuer}/register` }
const given = { clientId: 'known' }
const document = 'https://app.example/client.json'
const url = 'https://mcp.example/mcp'

describe('a challenge', () => {
  const challenge = (value: string | undefined) =>
    answered(401, '', value === undefined ? [] : [['www-authenticate', value]])

  it('names metadata and scope', () => {
    const value = 'Bearer resource_metadata="https://mcp.example/m", scope="b a b", error="invalid_token"'
    expect(readMcpChallenge(challenge(value), url)).toMatchObject({
      scheme: 'Bearer',
      metadataUrl: 'https://mcp.example/m',
      scope: 'b a',
      error: 'invalid_token',
    })
  })

  it.each([
    ['none', undefined],
    ['another scheme', 'Basic realm="x"'],
  ])('may be missing: %s', (_what, value) => {
    const read = readMcpChallenge(challenge(value), url)
    expect(read.metadataUrl).toBeUndefined()
    expect(read.checks[0]).toMatchObject({ name: 'challenge', ok: false, advice: true })
  })

  it('reports metadata at another origin, and refuses metadata without TLS', () => {
    const foreign = readMcpChallenge(challenge('Bearer resource_metadata="https://other.example/m"'), url)
    expect(foreign.checks[1]).toMatchObject({ ok: false, advice: true })
    for (const bad of ['http://mcp.example/m', 'ftp://mcp.example/m', 'file:///etc/passwd']) {
      expect(() => readMcpChallenge(challenge(`Bearer resource_metadata="${bad}"`), url)).toThrow(/not https/)
    }
    for (const bad of ['"/relative"', '""', 'metadata']) {
      const read = () => readMcpChallenge(challenge(`Bearer resource_metadata=${bad}`), url)
      expect(read).toThrow(/no absolute address/)
    }
    const unquoted = challenge('Bearer resource_metadata=https://mcp.example/m')
    expect(() => readMcpChallenge(unquoted, url)).toThrow(/without quotes/)
  })

  it('names metadata in one of several of its scheme', () => {
    const several = challenge(
      'Basic realm="a", Bearer realm="b, \\"c\\"", bearer resource_metadata="https://mcp.example/m", scope="x"',
    )
    expect(readMcpChallenge(several, url)).toMatchObject({ metadataUrl: 'https://mcp.example/m', scope: 'x' })
  })

  it('takes the scheme that the client can use', () => {
    const both = challenge('Bearer scope="a", DPoP scope="b"')
    expect(readMcpChallenge(both, url).scope).toBe('a')
    expect(readMcpChallenge(both, url, { dpop: true }).scope).toBe('b')
  })

  it('believes no endless scope', () => {
    expect(readMcpChallenge(challenge(`Bearer scope="${'a '.repeat(3000)}"`), url).scope).toBeUndefined()
  })
})

describe('registration', () => {
  const withDocuments = { ...metadata, client_id_metadata_document_supported: true }
  it.each([
    ['a given client first', { given, document }, withDocuments, 'given'],
    ['then a document', { document }, withDocuments, 'document'],
    ['no document where it is not announced', { document }, metadata, 'dynamic'],
    [
      'no document for a text "true"',
      { document },
      { ...metadata, client_id_metadata_document_supported: 'true' },
      'dynamic',
    ],
    ['else dynamic', {}, withDocuments, 'dynamic'],
    ['as asked', { given, document, register: 'dynamic' as const }, withDocuments, 'dynamic'],
    [
      'a document against the announcement',
      { document, register: 'document' as const },
      metadata,
      'document',
    ],
  ])('%s', (_what, means, server, way) => expect(chooseRegistration(means, server, rules).way).toBe(way))

  it('uses no document in a revision without them', () => {
    expect(chooseRegistration({ document }, withDocuments, RULES['2025-06-18']).way).toBe('dynamic')
  })

  it('marks dynamic registration as deprecated since 2026-07-28', () => {
    const names = (of: typeof rules) => chooseRegistration({}, metadata, of).checks.map(({ name }) => name)
    expect(names(rules)).toContain('deprecated')
    expect(names(RULES['2025-11-25'])).not.toContain('deprecated')
  })

  it.each([
    ['nothing is possible', {}, { issuer }, /--client-id/],
    [
      'documents are supported and none is given',
      {},
      { issuer, client_id_metadata_document_supported: true },
      /--client-document/,
    ],
    ['no client is given', { register: 'given' as const }, metadata, /--client-id/],
    ['no document is given', { register: 'document' as const }, metadata, /--client-document/],
    ['there is no endpoint', { register: 'dynamic' as const }, { issuer }, /registration_endpoint/],
    [
      'the endpoint is not https',
      {},
      { issuer, registration_endpoint: 'http://id.example/register' },
      /registration_endpoint/,
    ],
    [
      'the endpoint is a list',
      {},
      { issuer, registration_endpoint: ['https://id.example'] },
      /registration_endpoint/,
    ],
  ])('stops where %s', (_what, means, server, message) => {
    const choose = () => chooseRegistration(means, server, rules)
    expect(choose).toThrowError(expect.objectContaining({ code: 'no_registration' }))
    expect(choose).toThrowError(message)
  })

  it('asks for a native client, with a method that the server has', () => {
    const asked = (more: object) => {
      const { body } = registrationRequest(
        { ...metadata, ...more },
        { redirectUri: 'http://127.0.0.1:9/cb', name: 'x' },
      )
      return JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>
    }
    expect(asked({ token_endpoint_auth_methods_supported: ['client_secret_post', 'none'] })).toEqual({
      client_name: 'x',
      redirect_uris: ['http://127.0.0.1:9/cb'],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    })
    expect(asked({})).toMatchObject({ token_endpoint_auth_method: 'client_secret_basic' })
    expect(asked({ grant_types_supported: ['authorization_code', 'refresh_token'] })).toMatchObject({
      grant_types: ['authorization_code', 'refresh_token'],
    })
  })

  it.each([
    ['as registered', 's', 'client_secret_post', ['client_secret_basic'], 'client_secret_post'],
    ['as registered: none', 's', 'none', undefined, 'none'],
    ['the default', 's', undefined, undefined, 'client_secret_basic'],
    ['as announced', 's', undefined, ['client_secret_post'], 'client_secret_post'],
    ['none where nothing else is announced', 's', undefined, ['none'], 'none'],
    ['without a secret', undefined, 'client_secret_basic', undefined, 'none'],
  ])('sends its secret %s', (_what, secret, method, announced, auth) => {
    const server =
      announced === undefined ? metadata : { ...metadata, token_endpoint_auth_methods_supported: announced }
    expect(authOf(secret, method, server)).toBe(auth)
  })

  it('reads the answer', () => {
    const answer = answered(201, {
      client_id: 'c',
      client_secret: 's',
      redirect_uris: ['http://127.0.0.1:9/cb'],
    })
    const { client } = registeredClient(answer, metadata, 'http://127.0.0.1:9/cb')
    expect(client).toEqual({ clientId: 'c', clientSecret: 's', auth: 'client_secret_basic' })
  })

  it.each([
    [
      'a refusal',
      answered(400, { error: 'invalid_redirect_uri', error_description: 'no loopback' }),
      'invalid_redirect_uri',
    ],
    ['no client_id', answered(201, {}), 'invalid_response'],
    ['a client_id that is a number', answered(201, { client_id: 1 }), 'invalid_response'],
    ['a secret that is a list', answered(201, { client_id: 'c', client_secret: ['s'] }), 'invalid_response'],
    ['a page', answered(201, '<html>', [['content-type', 'text/html']]), 'invalid_response'],
    ['a redirect', answered(302, '', [['location', 'https://evil.example']]), 'invalid_response'],
  ])('refuses %s', (_what, exchange, code) => {
    expect(() => registeredClient(exchange, metadata, 'http://127.0.0.1:9/cb')).toThrowError(
      expect.objectContaining({ code }),
    )
  })
})

describe('scope', () => {
  it.each([
    ['the challenge', { challenged: 'a', supported: ['b'] }, 'a'],
    ['all of the metadata', { supported: ['b', 'c'] }, 'b c'],
    ['none', {}, undefined],
    ['none for an empty list', { supported: [] }, undefined],
    ['as the person says', { wanted: 'x', challenged: 'a' }, 'x'],
    [
      'offline_access where it is announced',
      { challenged: 'a', announced: ['a', 'offline_access'], offline: true },
      'a offline_access',
    ],
    ['no offline_access where it is not', { challenged: 'a', announced: ['a'], offline: true }, 'a'],
    ['no offline_access alone', { announced: ['offline_access'], offline: true }, undefined],
    ['no offline_access unless wanted', { challenged: 'a', announced: ['offline_access'] }, 'a'],
    [
      'offline_access once',
      { challenged: 'a offline_access', announced: ['offline_access'], offline: true },
      'a offline_access',
    ],
  ])('is %s', (_what, sources, scope) => expect(selectScope(sources, rules).scope).toBe(scope))

  it('ignores scopes_supported and offline_access in revisions without them', () => {
    expect(selectScope({ supported: ['b'] }, RULES['2025-06-18']).scope).toBeUndefined()
    const sources = { challenged: 'a', announced: ['offline_access'], offline: true }
    expect(selectScope(sources, RULES['2025-11-25']).scope).toBe('a')
  })

  it('unites old and new scopes', () => {
    expect(unitedScope('a b', 'b c')).toBe('a b c')
    expect(unitedScope(undefined, 'c')).toBe('c')
  })
})

describe('iss', () => {
  it.each([
    [true, issuer, 'same'],
    [true, undefined, 'missing'],
    [false, issuer, 'same'],
    [false, undefined, 'not promised'],
    [true, `${issuer}/`, 'foreign'],
    [false, 'https://ID.example', 'foreign'],
    [false, 'https://id.example:443', 'foreign'],
    [false, 'https://id.ex%61mple', 'foreign'],
    [true, '', 'foreign'],
  ])('promised %s, %s: %s', (promised, iss, verdict) => {
    expect(issVerdict(promised, iss, issuer)).toBe(verdict)
  })

  it('goes on without one where none is promised, and says so', () => {
    expect(absentIssCheck('not promised')).toHaveLength(1)
    expect(absentIssCheck('same')).toEqual([])
  })

  const landed = 'http://127.0.0.1:9/cb?error=access_denied&error_description=Call+555&state=s'
  it.each([
    ['a foreign iss', `${landed}&iss=https%3A%2F%2Fevil.example`, true],
    ['a missing iss', landed, true],
    ['two of them', `${landed}&iss=${encodeURIComponent(issuer)}&iss=x`, true],
    ['an encoded name', `http://127.0.0.1:9/cb?%65rror_description=Call+555&iss=x`, false],
    ['a query that cannot be read', `http://127.0.0.1:9/cb?error_description=Call+555&x=%zz`, true],
  ])('an error with %s is not shown', (_what, address, promised) => {
    const shown = withoutForeignError(address, promised, issuer)
    expect(decodeURIComponent(shown)).not.toMatch(/555|access_denied/)
  })

  it('an error with the right iss stays', () => {
    const good = `${landed}&iss=${encodeURIComponent(issuer)}`
    expect(withoutForeignError(good, true, issuer)).toBe(good)
    expect(withoutForeignError(landed, false, issuer)).toBe(landed)
  })

  it('any other text of an answer never appears with a foreign iss', () =>
    forAll(fc.string({ minLength: 12 }), text => {
      const query = new URLSearchParams({ iss: 'https://evil.example', error_description: `secret ${text}` })
      const shown = withoutForeignError(`http://127.0.0.1:9/cb?${query}`, true, issuer)
      expect(new URL(shown).searchParams.get('error_description')).toBe('withheld')
    }))
})
