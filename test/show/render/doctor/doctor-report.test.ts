import { DOMParser } from '@xmldom/xmldom'
import { describe, expect, it } from 'vitest'
import { type Finding, scoreOf } from '../../../../src/judge/doctor/finding.js'
import type { DoctorReport } from '../../../../src/show/render/doctor/doctor.js'
import { junitReport } from '../../../../src/show/render/doctor/doctor-junit.js'
import { sarifReport } from '../../../../src/show/render/doctor/doctor-sarif.js'
import { forAll } from '../../../support/for-all.js'
import { hostileText } from '../hostile.js'

const finding = (name: string, result: Finding['result'], more: Partial<Finding> = {}): Finding => ({
  group: 'token',
  name,
  title: `title of ${name}`,
  rule: 'RFC 6749 §4.1.2',
  result,
  detail: `detail of ${name}`,
  ...more,
})

const report = (findings: readonly Finding[], more: Partial<DoctorReport> = {}): DoctorReport => ({
  issuer: 'https://id.example',
  clientId: 'web',
  score: scoreOf(findings),
  tried: findings.length,
  findings,
  severity: 'fault',
  unread: false,
  version: '1.2.3',
  ...more,
})

const all = [
  finding('metadata', 'pass', { group: 'discovery' }),
  finding('reuse-code', 'fault'),
  finding('token-no-store', 'weakness'),
  finding('basic-challenge', 'remark'),
  finding('expired-code', 'not_tried'),
  finding('both-credentials', 'not_applicable'),
  finding('wrong-secret', 'fault', { ignored: true }),
]

const parsed = (xml: string) => {
  const errors: string[] = []
  const document = new DOMParser({
    errorHandler: (level: string, message: string) => errors.push(`${level} ${message}`),
  }).parseFromString(xml, 'text/xml')
  expect(errors).toEqual([])
  return document.documentElement
}
const elementsIn = (parent: Element, name: string) => [...Array.from(parent.getElementsByTagName(name))]
const endings = (xml: string) =>
  elementsIn(parsed(xml), 'testcase').map(each => [
    each.getAttribute('name'),
    each.firstChild?.nodeName,
    (each.firstChild as Element | null)?.getAttribute('message') || undefined,
  ])

describe('JUnit XML', () => {
  it('has a suite for each group, a case for each finding, and their numbers', () => {
    const root = parsed(junitReport(report(all)))
    const numbers = (each: Element) =>
      ['name', 'tests', 'failures', 'errors', 'skipped'].map(name => each.getAttribute(name) || undefined)
    expect([root.nodeName, ...numbers(root)]).toEqual([
      'testsuites',
      'oauth-lab doctor https://id.example',
      ...['7', '1', '0', undefined],
    ])
    expect(elementsIn(root, 'testsuite').map(numbers)).toEqual([
      ['discovery', '1', '0', '0', '0'],
      ['token', '6', '1', '0', '3'],
    ])
    expect(elementsIn(root, 'testcase').map(each => each.getAttribute('classname'))).toContain(
      'oauth-lab.doctor.token',
    )
  })

  it('fails for a fault, and for less with --severity', () => {
    expect(endings(junitReport(report(all)))).toEqual([
      ['metadata', 'system-out', undefined],
      ['reuse-code', 'failure', 'detail of reuse-code'],
      ['token-no-store', 'system-out', undefined],
      ['basic-challenge', 'system-out', undefined],
      ['expired-code', 'skipped', 'not tried: detail of expired-code'],
      ['both-credentials', 'skipped', 'not applicable: detail of both-credentials'],
      ['wrong-secret', 'skipped', 'ignored: detail of wrong-secret'],
    ])
    const failed = (severity: DoctorReport['severity']) =>
      endings(junitReport(report(all, { severity })))
        .filter(([, ending]) => ending === 'failure')
        .map(([name]) => name)
    expect(failed('weakness')).toEqual(['reuse-code', 'token-no-store'])
    expect(failed('remark')).toEqual(['reuse-code', 'token-no-store', 'basic-challenge'])
  })

  it('is an error where the login page cannot be read', () => {
    const unread = [finding('honest-flow', 'not_tried')]
    expect(endings(junitReport(report(unread, { unread: true })))).toEqual([
      ['honest-flow', 'error', 'detail of honest-flow'],
    ])
  })

  it('has no element and no attribute but those of the schema of Jenkins (junit-10.xsd)', () => {
    const allowed: Readonly<Record<string, readonly string[]>> = {
      testsuites: ['name', 'time', 'tests', 'failures', 'errors'],
      testsuite: ['name', 'tests', 'failures', 'errors', 'skipped', 'time', 'timestamp'],
      properties: [],
      property: ['name', 'value'],
      testcase: ['name', 'classname', 'time'],
      failure: ['message', 'type'],
      error: ['message', 'type'],
      skipped: ['message', 'type'],
      'system-out': [],
    }
    const unread = { severity: 'remark', unread: true } as const
    const root = parsed(junitReport(report([...all, finding('honest-flow', 'not_tried')], unread)))
    for (const each of [root, ...Array.from(root.getElementsByTagName('*'))]) {
      const names = Array.from(each.attributes).map(({ name }) => name)
      expect(allowed[each.tagName], each.tagName).toEqual(expect.arrayContaining(names))
    }
  })

  it('stays well-formed, whatever a server writes', () =>
    forAll(hostileText, hostile => {
      const xml = junitReport(report([finding('reuse-code', 'fault', { detail: `a${hostile}b` })]))
      expect(endings(xml)).toEqual([['reuse-code', 'failure', expect.stringMatching(/^a.*b$/su)]])
    }))
})

interface Log {
  version: string
  runs: {
    tool: { driver: { rules: { id: string; helpUri?: string }[] } }
    invocations: { executionSuccessful: boolean }[]
    results: {
      ruleId: string
      ruleIndex: number
      kind: string
      level: string
      locations: { physicalLocation: { artifactLocation: { uri: string } } }[]
    }[]
  }[]
}

describe('SARIF', () => {
  const run = (of: DoctorReport) => (JSON.parse(JSON.stringify(sarifReport(of))) as Log).runs[0]!

  it('has a rule for each finding, and a result for each broken one that counts', () => {
    const { tool, results } = run(report(all))
    expect(results.map(({ ruleId, kind, level }) => [ruleId, kind, level])).toEqual([
      ['reuse-code', 'fail', 'error'],
      ['token-no-store', 'fail', 'warning'],
      ['basic-challenge', 'fail', 'note'],
    ])
    expect(tool.driver.rules.map(({ id }) => id)).toEqual(all.map(({ name }) => name))
    expect(results.map(({ ruleIndex }) => tool.driver.rules[ruleIndex]?.id)).toEqual(
      results.map(({ ruleId }) => ruleId),
    )
    expect(tool.driver.rules[0]?.helpUri).toBe('https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2')
  })

  it.each([
    ['https://id.example', 'id.example'],
    ['https://id.example:8443/realms/lab/', 'id.example:8443/realms/lab'],
    ['http://localhost:8080', 'localhost:8080'],
  ])('names the server %s by a place without a scheme: %s', (issuer, place) => {
    const { results } = run(report(all, { issuer }))
    const [location] = results[0]!.locations
    expect(location!.physicalLocation.artifactLocation.uri).toBe(place)
  })

  it('says that an examination without a login did not succeed', () => {
    expect(run(report(all)).invocations).toEqual([{ executionSuccessful: true }])
    expect(run(report(all, { unread: true })).invocations).toEqual([{ executionSuccessful: false }])
  })
})
