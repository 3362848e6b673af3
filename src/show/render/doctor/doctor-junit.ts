import type { Finding } from '../../../judge/doctor/finding.js'
import { type DoctorReport, fails } from './doctor.js'

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

/** The end of a test case: the name of its element. A passed case has its output. */
type End = 'failure' | 'error' | 'skipped' | 'system-out'

function endOf(finding: Finding, { severity, unread }: DoctorReport): End {
  const { name, result, ignored } = finding
  if (ignored) return 'skipped'
  if (fails(finding, severity)) return 'failure'
  if (name === 'honest-flow' && unread) return 'error'
  return result === 'not_tried' || result === 'not_applicable' ? 'skipped' : 'system-out'
}

/** The element that says how a test case ended. */
function ending({ result, rule, detail, title, ignored }: Finding, end: End): string {
  switch (end) {
    case 'failure':
      return element(end, { message: detail, type: result }, escaped(`${title}\n${detail}\n${rule}`))
    case 'error':
      return element(end, { message: detail, type: result })
    case 'skipped': {
      const why = ignored ? 'ignored' : result === 'not_tried' ? 'not tried' : 'not applicable'
      return element(end, { message: `${why}: ${detail}` })
    }
    default:
      return element(end, {}, escaped(`${result === 'pass' ? '' : `${result}: `}${detail} (${rule})`))
  }
}

/** The numbers of test cases that ended in each way. */
function counts(ends: readonly End[]) {
  const count = (wanted: End) => ends.filter(each => each === wanted).length
  return {
    tests: ends.length,
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
      .map(each => {
        const end = endOf(each, report)
        const named = { name: each.name, classname: `oauth-lab.doctor.${group}` }
        return { end, xml: element('testcase', named, ending(each, end)) }
      }),
  }))
  const ends = suites.flatMap(({ cases }) => cases.map(({ end }) => end))
  // Jenkins takes no number of skipped cases here.
  const { skipped: _skipped, ...totals } = counts(ends)
  const all = { name: `oauth-lab doctor ${issuer}`, ...totals }
  const properties = ['<properties>', `      ${element('property', { name: 'client_id', value: clientId })}`]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    element(
      'testsuites',
      all,
      `\n${suites
        .map(({ group, cases }) => {
          const head = `    ${[...properties, '    </properties>'].join('\n')}`
          const lines = [head, ...cases.map(({ xml }) => `    ${xml}`)]
          const own = { name: group, ...counts(cases.map(({ end }) => end)) }
          return `  ${element('testsuite', own, `\n${lines.join('\n')}\n  `)}\n`
        })
        .join('')}`,
    ),
  ].join('\n')
}
