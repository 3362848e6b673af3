import { randomBytes } from 'node:crypto'
import { createHeadlessAgent } from '../client/headless.js'
import { answerNever, answerOnce } from '../client/known-login.js'
import { createTransport } from '../client/transport.js'
import { EXIT } from '../errors.js'
import { examine } from '../flows/doctor/examine.js'
import { type Finding, scoreOf } from '../flows/doctor/finding.js'
import type { Patient } from '../flows/doctor/patient.js'
import type { NetworkPorts } from '../flows/ports.js'
import { findRunningLab } from '../lab/running.js'
import { findingLines, groupHeading, scoreLine } from '../render/doctor.js'
import { makeSafe } from '../render/text.js'
import { findClient } from '../targets/lab-names.js'
import { type LabTarget, labTarget } from '../targets/lab-target.js'
import { trustedPem } from '../targets/trust.js'
import type { DoctorFlags } from './doctor-flags.js'
import { issuerPatient, labPatient, NOBODY } from './doctor-patient.js'
import type { Globals } from './globals.js'
import { narrate, print, printJson, terminalColumns } from './output.js'
import { watchSignals } from './signals.js'

/** No examination takes longer than so many times what one exchange may take. */
const MOST_WAITS = 10

/** What is examined, and how it is reached. */
interface Appointment {
  readonly patient: Patient
  readonly caPem?: string
  readonly world: Pick<LabTarget, 'now' | 'random' | 'stop'>
}

async function labAppointment(flags: DoctorFlags, globals: Globals): Promise<Appointment> {
  const check = ({ clients }: LabTarget['config']) => void findClient(flags.client, clients)
  const lab = await labTarget(globals, { narrate, check })
  try {
    const { caPem } = lab
    const patient = await labPatient(flags, lab)
    return { patient, ...(caPem !== undefined && { caPem }), world: lab }
  } catch (error) {
    await lab.stop()
    throw error
  }
}

async function appointment(
  issuer: string | undefined,
  flags: DoctorFlags,
  globals: Globals,
): Promise<Appointment> {
  if (issuer === undefined) return labAppointment(flags, globals)
  if (flags.clientId === undefined && flags.client !== undefined) {
    const lab = await findRunningLab(globals.home, ({ urls }) => urls.authorization === issuer)
    if (lab) return labAppointment(flags, { ...globals, server: issuer })
    narrate(`No --client-id was given: asking as "${NOBODY}", which a server that knows its clients refuses.`)
  }
  const patient = await issuerPatient(issuer, flags, process.env)
  const caPem = await trustedPem(globals, issuer)
  const world = { now: Date.now, random: (length: number) => randomBytes(length), stop: async () => {} }
  return { patient, ...(caPem !== undefined && { caPem }), world }
}

/** Writes findings under the heading of their group. */
function textReport(ascii: boolean): (finding: Finding) => void {
  let group: Finding['group'] | undefined
  return finding => {
    if (finding.group !== group) print('', groupHeading(finding.group))
    group = finding.group
    print(...findingLines(finding, { ascii, columns: terminalColumns() }))
  }
}

/**
 * `oauth-lab doctor`: examines a server and reports.
 * @returns the exit code
 */
export async function runDoctor(
  issuer: string | undefined,
  flags: DoctorFlags,
  globals: Globals,
): Promise<number> {
  const interruption = watchSignals()
  const { patient, caPem, world } = await appointment(issuer, flags, globals)
  const { timeoutMs, json, ascii } = globals
  const transport = createTransport({ timeoutMs, now: world.now, caPem })
  const { credentials } = patient
  const ports: NetworkPorts = {
    send: transport.send,
    now: world.now,
    random: world.random,
    signal: interruption.signal,
    agentWith: send =>
      createHeadlessAgent({
        send,
        askLogin: credentials ? answerOnce(credentials) : answerNever,
      }),
  }
  const report = json ? () => {} : textReport(ascii)
  const found: Finding[] = []
  try {
    if (!json)
      print(`${makeSafe(patient.issuer, { ascii })} as ${makeSafe(patient.client.clientId, { ascii })}`)
    for await (const finding of examine(ports, patient, AbortSignal.timeout(MOST_WAITS * timeoutMs))) {
      found.push(finding)
      report(finding)
    }
    const score = scoreOf(found)
    if (json)
      printJson({ issuer: patient.issuer, client_id: patient.client.clientId, score, findings: found })
    else print('', scoreLine(score))
    return score.faults === 0 ? EXIT.done : EXIT.refused
  } catch (error) {
    const code = interruption.exitCode()
    if (code !== undefined) return code
    throw error
  } finally {
    transport.close()
    await world.stop()
    interruption.ignore()
  }
}
