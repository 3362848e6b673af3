import { expect, it } from 'vitest'
import { scopesOfResource } from '../../../src/lab/sites/resource-settings.js'

const BASES = ['https://localhost:8444', 'https://localhost:8445']
const ROUTES = [
  { path: '/records', methods: ['GET'], scope: 'records:read a' },
  { path: '/', methods: ['GET'] },
]

it.each([
  ['https://localhost:8444', ['records:read', 'a']],
  ['https://localhost:8445/', ['records:read', 'a']],
  ['https://localhost:8444/mcp', ['records:read', 'records:write']],
  ['https://localhost:8444/mcp/', []],
  ['https://localhost:8443/mcp', []],
  ['no address', []],
])('the scopes of %s', (resource, scopes) => {
  expect(scopesOfResource(resource, BASES, ROUTES)).toEqual(scopes)
})
