import { expect, it } from 'vitest'
import { portableMetadata } from '../../../../src/servers/authorization-server/client-documents/document-rules.js'

const server = {
  grantTypes: ['authorization_code', 'refresh_token'],
  responseTypes: ['code'],
  scopes: ['openid', 'records:read'],
}

const PRIVATE_KEY = { token_endpoint_auth_method: 'private_key_jwt' }
const CODE = { grant_types: ['authorization_code'] }
const UNKNOWN = { grant_types: ['urn:x'] }
const WRONG = { grant_types: ['authorization_code', 1] }

it.each<[string, object, object]>([
  ['a client without a method as public', {}, { token_endpoint_auth_method: 'none' }],
  ['the method of a client', PRIVATE_KEY, PRIVATE_KEY],
  ['the known grant types', { grant_types: ['authorization_code', 'urn:x'] }, CODE],
  ['unknown grant types alone, which are refused then', UNKNOWN, UNKNOWN],
  ['grant types of a wrong type', WRONG, WRONG],
  ['grant types that are no list', { grant_types: 'code' }, { grant_types: 'code' }],
  ['the known response types', { response_types: ['code', 'code id_token'] }, { response_types: ['code'] }],
  ['the known scope', { scope: 'openid mcp:tools records:read' }, { scope: 'openid records:read' }],
  ['an unknown scope as every scope', { scope: 'mcp:tools' }, { scope: undefined }],
  ['a scope of a wrong type', { scope: ['openid'] }, { scope: ['openid'] }],
])('reads %s', (_name, metadata, read) => {
  const client_name = 'Client'
  expect(portableMetadata({ client_name, ...metadata }, server)).toMatchObject({ client_name, ...read })
})
