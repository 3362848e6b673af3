import { splitUrl } from '../../protocol/http/message.js'
import type { PublishedMetadata } from '../../protocol/oauth/metadata.js'
import { codeSteps, path, tokenStep } from '../plans/plan-parts.js'
import type { PlannedStep } from '../step.js'
import { issuerMetadataUrls } from './find-server.js'
import { metadataPlaces } from './metadata-places.js'
import type { McpOptions } from './options.js'
import type { Registration } from './register.js'
import { LATEST, type Revision, type RevisionRules, RULES } from './revisions.js'

export interface Learned {
  readonly revision?: Revision
  readonly metadata?: PublishedMetadata
  readonly way?: Registration
}

const WAYS: Readonly<Record<Registration, string>> = {
  given: 'use a registered client',
  document: 'use the address of a document',
  dynamic: 'register a client',
}

function searchSteps(
  { url }: McpOptions,
  { resourceMetadata, discovery }: RevisionRules,
  { metadata }: Learned,
): PlannedStep[] {
  const places = metadataPlaces(url, undefined)
  const issuer = metadata?.issuer ?? splitUrl(url).origin
  const published: PlannedStep = {
    name: 'resource_metadata_request',
    from: 'client',
    to: 'resource_server',
    title: `GET ${splitUrl(places[0]!.url).path}`,
    rfc: 'MCP 2026-07-28 Discovery §2',
    why: 'The MCP server says which authorization servers it trusts. The client checks that the document is about this server.',
  }
  return [
    ...(resourceMetadata ? [published] : []),
    {
      name: 'discovery_request',
      from: 'client',
      to: 'authorization_server',
      title: `GET ${splitUrl(issuerMetadataUrls(issuer, discovery)[0]!).path}`,
      rfc: 'MCP 2026-07-28 Discovery §3',
      why: 'The client learns the endpoints of the authorization server. The document must name the issuer that was asked for.',
    },
  ]
}

function grantSteps({ grant, redirectUri }: McpOptions, { metadata }: Learned): PlannedStep[] {
  const known = { metadata: metadata ?? { issuer: '' }, redirectUri }
  const push = metadata?.require_pushed_authorization_requests === true
  const token = tokenStep(known)
  switch (grant) {
    case 'authorization_code':
      return [...codeSteps({ ...known, push }), token]
    case 'client_credentials':
      return [
        {
          ...token,
          rfc: 'MCP Client Credentials §2.2',
          why: 'The client asks in its own name, and names the MCP server that the token is for.',
        },
      ]
    case 'jwt-bearer':
      return [{ ...token, rfc: '7523 §2.1', why: 'The workload trades the JWT of its platform for a token.' }]
    default:
      return [
        {
          name: 'exchange_request',
          from: 'client',
          to: 'authorization_server',
          title: 'POST to the identity provider',
          rfc: 'MCP Enterprise-Managed Authorization §4',
          why: 'The identity provider of the organisation decides if this person may use this MCP server, and signs its decision.',
        },
        {
          ...token,
          rfc: 'MCP Enterprise-Managed Authorization §5',
          why: 'The client redeems that decision at the authorization server of the MCP server.',
        },
      ]
  }
}

function sessionSteps({ url, call }: McpOptions, { stateless }: RevisionRules): PlannedStep[] {
  const post = `POST ${path(url, '/mcp')}`
  const steps: PlannedStep[] = [
    {
      name: 'initialize_request',
      from: 'client',
      to: 'resource_server',
      title: `${post} initialize`,
      rfc: 'MCP 2025-11-25 Lifecycle §1.1',
      why: 'Client and server agree on a revision, and the server may open a session.',
    },
    {
      name: 'initialized_notification',
      from: 'client',
      to: 'resource_server',
      title: `${post} notifications/initialized`,
      rfc: 'MCP 2025-11-25 Lifecycle §1.1',
      why: 'The client confirms the agreement.',
    },
    {
      name: 'tools_request',
      from: 'client',
      to: 'resource_server',
      title: `${post} tools/list`,
      rfc: 'MCP 2026-07-28 Authorization §9.1',
      why: 'The client presents the token, in the header of every request, and asks which tools there are.',
    },
  ]
  const called: PlannedStep = {
    name: 'tool_call',
    from: 'client',
    to: 'resource_server',
    title: `${post} tools/call`,
    rfc: 'MCP 2026-07-28 Authorization §11.1',
    why: 'The client calls a tool. A tool may need more scopes than the list of tools.',
  }
  return [...(stateless ? steps.slice(2) : steps), ...(call === undefined ? [] : [called])]
}

/** The steps of an MCP client that knows the address of a server alone. */
export function mcpPlan(options: McpOptions, learned: Learned = {}): PlannedStep[] {
  const revision = learned.revision ?? options.revision ?? LATEST
  const rules = RULES[revision]
  const register = learned.way ?? options.register
  const introduction: PlannedStep = {
    name: 'client_registration',
    from: 'client',
    to: register === 'given' || register === 'document' ? 'client' : 'authorization_server',
    title: register === undefined ? 'introduce the client' : WAYS[register],
    rfc: 'MCP 2026-07-28 Registration §1',
    why: 'The client needs a client_id: one that was given to it, the address of its metadata document, or one that it registers now.',
  }
  const first: PlannedStep = {
    name: 'unauthenticated_request',
    from: 'client',
    to: 'resource_server',
    title: `POST ${path(options.url, '/mcp')} ${rules.stateless ? 'tools/list' : 'initialize'}`,
    rfc: 'MCP 2026-07-28 Authorization §11',
    why: 'The client asks without a token. The 401 names where the metadata is, and which scopes the request needs.',
  }
  return [
    first,
    ...searchSteps(options, rules, learned),
    introduction,
    ...grantSteps(options, learned),
    ...sessionSteps(options, rules),
  ]
}
