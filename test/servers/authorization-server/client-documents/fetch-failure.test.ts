import { expect, it } from 'vitest'
import {
  FetchFailure,
  failureRule,
} from '../../../../src/servers/authorization-server/client-documents/fetch-failure.js'

it.each([
  [new FetchFailure('address', 'x'), '8.6'],
  [new FetchFailure('status', 'x'), '5'],
  [new FetchFailure('size', 'x'), '8.7'],
  [new FetchFailure('busy', 'x'), '5.1'],
  [new FetchFailure('network', 'x'), '5.1'],
  [new Error('anything else'), '5.1'],
])('%# names the section of a failed fetch', (error, section) => {
  expect(failureRule(error)).toBe(`draft-ietf-oauth-client-id-metadata-document-02 §${section}`)
})
