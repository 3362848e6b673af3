import { describe, expect, it } from 'vitest'
import {
  WEAK_MODES,
  WEAK_NAMES,
  type WeakName,
  weakModes,
  weakNamesAt,
  weakNotice,
} from '../../../src/protocol/rules/weak-modes.js'

describe('the table of weak modes', () => {
  it('has each name once, as people type it', () => {
    expect(new Set(WEAK_NAMES).size).toBe(WEAK_NAMES.length)
    for (const name of WEAK_NAMES) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/)
  })

  it.each(WEAK_MODES)(
    'names the section, the behaviour and the gain of $name',
    ({ rule, sentence, opens }) => {
      expect(rule).toMatch(
        /^(RFC \d{4}|MCP Enterprise-Managed Authorization|draft-ietf-oauth-client-id-metadata-document-02|OpenID Connect Core|SAML 2\.0 Core|BREACH) §[\d.]+$/,
      )
      // The notice goes on after a colon, and the list of modes after the name of a server.
      for (const text of [sentence, opens]) expect(text).toMatch(/^[a-z](?!.*[.;]$).*$/)
    },
  )
})

describe('names of weak modes', () => {
  const mixed: WeakName[] = ['no-iss', 'redirect-any']

  it('come in the order of the table', () => {
    expect(weakModes(mixed).map(({ name }) => name)).toEqual(['redirect-any', 'no-iss'])
    expect(weakNamesAt('authorization-server', mixed)).toEqual(['redirect-any', 'no-iss'])
  })

  it('belong to one site', () => {
    expect(weakNamesAt('resource-server', mixed)).toEqual([])
    const sites = (['authorization-server', 'resource-server', 'demo-client'] as const).flatMap(site =>
      weakNamesAt(site, WEAK_NAMES),
    )
    expect(new Set(sites)).toEqual(new Set(WEAK_NAMES))
  })

  it('become one sentence, and none without a mode', () => {
    expect(weakNotice(mixed)).toBe(
      'WEAK on purpose: accepts any redirect address; does not name itself in authorization responses',
    )
    expect(weakNotice([])).toBeUndefined()
  })
})
