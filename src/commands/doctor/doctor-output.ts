import type { Finding } from '../../judge/doctor/finding.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { findingLines, groupHeading, scoreLine } from '../../show/render/doctor/doctor.js'
import { junitReport } from '../../show/render/doctor/doctor-junit.js'
import type { DoctorReport } from '../../show/render/doctor/doctor-report.js'
import { sarifReport } from '../../show/render/doctor/doctor-sarif.js'
import { print, printData, printJson, terminalColumns } from '../output/output.js'
import type { ReportForm } from './doctor-options.js'

/** Writes an examination to stdout: its parts while it goes on, or all of it at the end. */
export interface ReportWriter {
  begin(issuer: string, clientId: string): void
  show(finding: Finding): void
  end(report: DoctorReport): void
}

/** Prints findings under the heading of their group. */
function textWriter(ascii: boolean): ReportWriter {
  let group: Finding['group'] | undefined
  return {
    begin: (issuer, clientId) => print(`${makeSafe(issuer, { ascii })} as ${makeSafe(clientId, { ascii })}`),
    show(finding) {
      if (finding.group !== group) print('', groupHeading(finding.group))
      group = finding.group
      print(...findingLines(finding, { ascii, columns: terminalColumns() }))
    },
    end: ({ score }) => print('', scoreLine(score)),
  }
}

function printWhole(form: Exclude<ReportForm, 'text'>, report: DoctorReport): void {
  const { issuer, clientId, score, tried, findings } = report
  if (form === 'junit') printData(junitReport(report))
  else
    printJson(
      form === 'sarif' ? sarifReport(report) : { issuer, client_id: clientId, score, tried, findings },
    )
}

/** The writer of a form of report. */
export function reportWriter(form: ReportForm, ascii: boolean): ReportWriter {
  if (form === 'text') return textWriter(ascii)
  return { begin() {}, show() {}, end: report => printWhole(form, report) }
}
