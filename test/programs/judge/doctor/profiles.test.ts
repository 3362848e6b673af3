import { describe, expect, it } from 'vitest'
import type { Finding } from '../../../../src/judge/doctor/finding.js'
import { findingNames } from '../../../../src/judge/doctor/names.js'
import {
  byProfile,
  DOCTOR_PROFILES,
  type DoctorProfile,
  PROFILE_RULES,
} from '../../../../src/judge/doctor/profiles.js'
import { lab } from '../../../judge/doctor/lab.js'
import { names } from '../../../judge/doctor/support.js'

const finding = (more: Partial<Finding>): Finding => ({
  group: 'discovery',
  name: 'pkce-announced',
  title: 'title',
  rule: 'RFC 9700 §2.1.1',
  result: 'fault',
  detail: 'seen',
  ...more,
})

async function judged(given: Finding, profile: DoctorProfile): Promise<Finding> {
  const all = (async function* () {
    yield given
  })()
  for await (const each of byProfile(all, profile)) return each
  throw new Error('no finding')
}

describe('a profile', () => {
  it.each(DOCTOR_PROFILES)('%s names findings that there are', profile => {
    const all = findingNames()
    const { weighs, adds } = PROFILE_RULES[profile]
    expect([...Object.keys(weighs), ...adds.map(({ name }) => name)].filter(each => !all.has(each))).toEqual(
      [],
    )
  })

  it.each<[DoctorProfile, Partial<Finding>, Partial<Finding>]>([
    [
      'oauth21',
      { name: 'password-not-announced', result: 'remark' },
      { result: 'fault', rule: 'draft-ietf-oauth-v2-1 §1.8' },
    ],
    [
      'oauth21',
      { name: 'password-not-announced', result: 'pass' },
      { result: 'pass', rule: 'draft-ietf-oauth-v2-1 §1.8' },
    ],
    [
      'bcp',
      { name: 'implicit-not-announced', result: 'remark' },
      { result: 'weakness', rule: 'RFC 9700 §2.1.2' },
    ],
    [
      'oidc',
      { name: 'implicit-not-announced', result: 'remark' },
      { result: 'not_applicable', detail: 'OpenID Connect does not ask for it: seen' },
    ],
    ['oidc', {}, { result: 'remark' }],
    ['fapi2', {}, { result: 'fault', rule: 'FAPI 2.0 Security Profile §5.3.2.2-5' }],
    ['bcp', { name: 'rs256-offered', rule: 'OpenID Connect Discovery §3' }, { result: 'not_applicable' }],
    // A refusal in another form is a refusal.
    [
      'bcp',
      { name: 'no-challenge', result: 'remark', detail: 'refused otherwise: 500' },
      { result: 'remark' },
    ],
    ['bcp', { name: 'no-challenge', result: 'not_tried' }, { result: 'not_tried' }],
    ['bcp', { name: 'reuse-code', rule: 'RFC 6749 §4.1.2' }, { result: 'fault', rule: 'RFC 6749 §4.1.2' }],
  ])('%s judges %j', async (profile, given, expected) => {
    expect(await judged(finding(given), profile)).toMatchObject(expected)
  })
})

describe('the authorization server of this project', () => {
  it('is an OpenID provider', async () => {
    const found = await lab(undefined, undefined, { profile: 'oidc' })
    expect(names(found, 'fault')).toEqual([])
    expect(names(found, 'pass')).toEqual(expect.arrayContaining(['openid-configuration', 'openid-scope']))
  })

  it('is no server for FAPI 2.0, and says why', async () => {
    const found = await lab(undefined, undefined, { profile: 'fapi2' })
    expect(names(found, 'fault')).toEqual([
      'fapi2-authentication',
      'fapi2-pushed-requests',
      'fapi2-response-types',
      'fapi2-algorithms',
    ])
  })
})
