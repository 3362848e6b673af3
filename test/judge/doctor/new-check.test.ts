import { describe, expect, it } from 'vitest'
import { type DoctorCheck, findings, type Publication } from '../../../src/judge/doctor/facts.js'
import { scoreOf } from '../../../src/judge/doctor/finding.js'
import { fault, notApplicable, pass } from '../../../src/protocol/rules/finding.js'

/** A check as CONTRIBUTING.md describes one: a row of a table, which judges what was fetched. */
const serviceDocumentation: DoctorCheck<Publication> = {
  group: 'discovery',
  name: 'service-documentation',
  title: 'the documentation for developers is an https address',
  rule: 'RFC 8414 §2',
  severity: 'remark',
  judge({ members: { service_documentation: page } }) {
    if (page === undefined) return notApplicable('the metadata names no documentation')
    return String(page).startsWith('https://') ? pass(String(page)) : fault(`${page} is not https`)
  },
}

const judged = (members: Publication['members']) =>
  findings([serviceDocumentation], { issuer: 'https://id.example', members } as Publication)

describe('a new check of the doctor', () => {
  it.each([
    [{}, 'not_applicable', 'the metadata names no documentation'],
    [{ service_documentation: 'https://id.example/docs' }, 'pass', 'https://id.example/docs'],
    [{ service_documentation: 'http://id.example' }, 'remark', 'http://id.example is not https'],
  ])('%j: %s', (members, result, detail) => {
    expect(judged(members)).toEqual([
      {
        group: 'discovery',
        name: 'service-documentation',
        title: 'the documentation for developers is an https address',
        rule: 'RFC 8414 §2',
        result,
        detail,
      },
    ])
  })

  it('counts by its weight: a remark lowers no score', () => {
    const all = [{}, { service_documentation: 'http://id.example' }].flatMap(judged)
    expect(scoreOf(all)).toMatchObject({ remarks: 1, not_applicable: 1, faults: 0, percent: 100 })
  })
})
