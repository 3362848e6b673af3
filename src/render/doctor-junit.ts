import type { Finding } from '../flows/doctor/finding.js'
import { type DoctorReport, fails } from './doctor-report.js'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** Characters that XML 1.0 cannot hold, even escaped (§2.2). Their place is kept by U+FFFD. */
const ILLEGAL = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** A text as the content of an element, or as the value of an attribute. */
function escaped(text: string): string {
  return text.replace(ILLEGAL, '\ufffd').replace(/[&<>"\t\n\r]/g, each => entities[each]!)
}

function element(name: string, attributes: Readonly<Record<string, string | number>>, inside = ''): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`)
  return inside === '' ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${inside}</${name}>`
}

/** The element that says how a test case ended. A passed case has none, or its output. */
function ending(finding: Finding, { severity, unread }: DoctorReport): string {
  const { name, result, rule, detail, title, ignored } = finding
  if (ignored) return element('skipped', { message: `ignored: ${detail}` })
  if (fails(finding, severity)) {
    return element('failure', { message: detail, type: result }, escaped(`${title}\n${detail}\n${rule}`))
  }
  if (name === 'honest-flow' && unread) return element('error', { message: detail, type: result })
  if (result === 'not_tried') return element('skipped', { message: `not tried: ${detail}` })
  if (result === 'not_applicable') return element('skipped', { message: `not applicable: ${detail}` })
  return element('system-out', {}, escaped(`${result === 'pass' ? '' : `${result}: `}${detail} (${rule})`))
}

/** The numbers of test cases that ended in each way. */
function counts(cases: readonly string[]) {
  const count = (start: string) => cases.filter(each => each.includes(`<${start} `)).length
  return {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  }
}

/**
 * An examination as JUnit XML, as CI systems read it: a suite for each group, a test case for each finding. Findings
 * lighter than `--severity` are passed cases with the observation as their output.
 */
export function junitReport(report: DoctorReport): string {
  const { issuer, clientId, findings } = report
  const groups = [...new Set(findings.map(({ group }) => group))]
  const suites = groups.map(group => ({
    group,
    cases: findings
      .filter(each => each.group === group)
      .map(each =>
        element(
          'testcase',
          { name: each.name, classname: `oauth-lab.doctor.${group}` },
          ending(each, report),
        ),
      ),
  }))
  const all = { name: `oauth-lab doctor ${issuer}`, ...counts(suites.flatMap(({ cases }) => cases)) }
  const properties = ['<properties>', `      ${element('property', { name: 'client_id', value: clientId })}`]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    element(
      'testsuites',
      all,
      `\n${suites
        .map(({ group, cases }) => {
          const head = `    ${[...properties, '    </properties>'].join('\n')}`
          const lines = [head, ...cases.map(each => `    ${each}`)]
          return `  ${element('testsuite', { name: group, ...counts(cases) }, `\n${lines.join('\n')}\n  `)}\n`
        })
        .join('')}`,
    ),
  ].join('\n')
}
