import { expect, it } from 'vitest'
import { portableMetadata } from '../../../../src/servers/authorization-server/client-documents/document-rules.js'

const server = {
  grantTypes: ['authorization_code', 'refresh_token'],
  responseTypes: ['code'],
  scopes: ['openid', 'records:read'],
}

it.each<[string, object, object]>([
  ['a client without a method as public', {}, { token_endpoint_auth_method: 'none' }],
  [
    'the method of a client',
    { token_endpoint_auth_method: 'private_key_jwt' },
    { token_endpoint_auth_method: 'private_key_jwt' },
  ],
  [
    'the known grant types',
    { grant_types: ['authorization_code', 'urn:x'] },
    { grant_types: ['authorization_code'] },
  ],
  [
    'unknown grant types alone, which are refused then',
    { grant_types: ['urn:x'] },
    { grant_types: ['urn:x'] },
  ],
  [
    'grant types of a wrong type',
    { grant_types: ['authorization_code', 1] },
    { grant_types: ['authorization_code', 1] },
  ],
  ['grant types that are no list', { grant_types: 'code' }, { grant_types: 'code' }],
  ['the known response types', { response_types: ['code', 'code id_token'] }, { response_types: ['code'] }],
  ['the known scope', { scope: 'openid mcp:tools records:read' }, { scope: 'openid records:read' }],
  ['an unknown scope as every scope', { scope: 'mcp:tools' }, { scope: undefined }],
  ['a scope of a wrong type', { scope: ['openid'] }, { scope: ['openid'] }],
])('reads %s', (_name, metadata, read) => {
  expect(portableMetadata({ client_name: 'Client', ...metadata }, server)).toMatchObject({
    client_name: 'Client',
    ...read,
  })
})
