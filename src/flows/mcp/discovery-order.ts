import type { PublishedMetadata } from '../../protocol/oauth/metadata.js'
import type { MetadataWay } from './revisions.js'

/** Returns the addresses of the metadata of an issuer, in the order of a revision, each once. */
export function issuerMetadataUrls(issuer: string, order: readonly MetadataWay[]): string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const urls: Readonly<Record<MetadataWay, string>> = {
    'oauth-inserted': `${origin}/.well-known/oauth-authorization-server${path}`,
    'openid-inserted': `${origin}/.well-known/openid-configuration${path}`,
    'openid-appended': `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
  }
  return [...new Set(order.map(way => urls[way]))]
}

/** The addresses of a server without metadata, at the origin of the MCP server (MCP 2025-03-26 Authorization §2.4). */
export function defaultMetadata(origin: string): PublishedMetadata {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
  }
}
