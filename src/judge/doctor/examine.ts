import type { Exchange } from '../../protocol/http/exchange.js'
import { splitUrl } from '../../protocol/http/message.js'
import { withMtlsAliases } from '../../protocol/oauth/metadata.js'
import { announcedAlgorithmChecks, usedAlgorithmChecks } from './algorithm-checks.js'
import { answerChecks } from './answer-checks.js'
import { discoveryChecks } from './discovery-checks.js'
import { endpointFindings } from './endpoints/endpoint-check.js'
import { type Document, type Facts, findings, loggedInByHand, type Publication } from './facts.js'
import { type Finding, fault, GROUPS, type Group, pass } from './finding.js'
import { flowChecks } from './flow-checks.js'
import { keyChecks } from './key-checks.js'
import { moveFindings } from './move-findings.js'
import { endpointChecks } from './names.js'
import type { DoctorPorts } from './ports.js'
import { probe } from './probe.js'
import { PROFILE_RULES } from './profiles.js'
import { fetchPublication } from './publication.js'
import { examineRegistration } from './registration/examine-registration.js'
import { createRequester } from './requester.js'
import { bounded, equipped, portsOf, type ServerUnderTest } from './server-under-test.js'
import { loginDemandChecks } from './session-checks.js'
import { handshakes, tlsChecks } from './tls-checks.js'

/** The groups of what a server publishes, which need no flow. */
const PUBLISHED: readonly Group[] = ['discovery', 'keys', 'tls']

/** The checks of the metadata in a group. */
const checksOf = (group: Group) =>
  [...discoveryChecks, ...announcedAlgorithmChecks].filter(each => each.group === group)

/** The publication of a server whose addresses are known without metadata. Undefined where they are not. */
function knownOtherwise(
  { issuer, known }: ServerUnderTest,
  documents: readonly Document[],
): Publication | undefined {
  return known && { issuer, documents, members: {}, metadata: known }
}

/**
 * Examines a server: checks what it publishes, walks one honest flow, then makes every wrong move that applies, each
 * in a flow of its own. Findings come as they are made; each names its rule.
 * @param only the groups to examine. The honest flow is always reported where one is walked
 * @param enough ends the moves early; the moves that are left are not tried
 * @throws TransportError, TimeoutError where the server cannot be reached at all; the reason of an aborted signal
 */
export async function* examine(
  world: DoctorPorts,
  asked: ServerUnderTest,
  enough: AbortSignal,
  only: readonly Group[] = GROUPS,
): AsyncGenerator<Finding, void, void> {
  const network = { ...world, send: bounded(world.send) }
  const fetched = await fetchPublication(asked.issuer, network.send, network.signal)
  const documents = 'documents' in fetched ? fetched.documents : fetched
  const statuses = documents
    .map(({ url, exchange }) => `${splitUrl(url).path} answered ${exchange.response?.status}`)
    .join(', ')
  const hasMetadata = 'metadata' in fetched
  yield {
    group: 'discovery',
    name: 'metadata',
    title: 'metadata are published at a well-known address',
    rule: 'RFC 8414 §3',
    ...(hasMetadata ? pass(statuses) : fault(`no metadata can be read: ${statuses}`)),
  }
  if (hasMetadata) {
    if (only.includes('discovery')) {
      yield* findings(checksOf('discovery'), fetched)
      if (asked.profile) yield* findings(PROFILE_RULES[asked.profile].adds, fetched)
    }
    if (only.includes('keys')) yield* findings([...keyChecks, ...checksOf('keys')], fetched)
    if (only.includes('tls')) {
      yield* findings(tlsChecks, fetched)
      yield* handshakes(network, fetched)
    }
  }
  const found = hasMetadata ? fetched : knownOtherwise(asked, documents)
  // A client with a certificate uses the aliases of endpoints (RFC 8705 §5).
  const published =
    found && asked.certificate ? { ...found, metadata: withMtlsAliases(found.metadata) } : found
  if (!published || only.every(group => PUBLISHED.includes(group))) return

  const server = await equipped(asked, published.metadata)
  const { metadata } = published
  const ports = portsOf(network, server, metadata)
  const answers = new Map<string, Exchange>()
  const facts: Facts = { ...(await probe({ ports, server, metadata }, published)), answers }
  const tried = loggedInByHand(facts.flow) ? { ...server, ownBrowser: true } : server
  const requester = createRequester({ ports, server: tried, metadata }, facts.flow)
  const makeMoves = moveFindings(requester, facts, answers, enough)
  for (const group of GROUPS) {
    const ofGroup = (each: { readonly group: Group }) => each.group === group
    if (!only.includes(group)) {
      yield* findings(
        flowChecks.filter(each => ofGroup(each) && each.name === 'honest-flow'),
        facts,
      )
      continue
    }
    yield* findings([...flowChecks, ...loginDemandChecks].filter(ofGroup), facts)
    if (!PUBLISHED.includes(group)) yield* findings(checksOf(group), published)
    yield* endpointFindings(endpointChecks, group, requester)
    if (group === 'registration') yield* examineRegistration(network, metadata, server.redirectUri)
    yield* makeMoves(group)
    yield* findings([...usedAlgorithmChecks, ...answerChecks].filter(ofGroup), facts)
  }
}
