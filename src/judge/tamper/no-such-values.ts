import type { Situation } from './move.js'

/** A resource that no server knows. `.example` belongs to nobody (RFC 2606). */
export const NO_SUCH_RESOURCE = 'https://oauth-lab-no-such-resource.example'

/** A type of authorization details that no server knows. */
export const NO_SUCH_DETAILS = JSON.stringify([{ type: 'oauth-lab-no-such-type' }])

/** A scope that no server knows. */
export const NO_SUCH_SCOPE = 'oauth-lab:no-such-scope'

/** Why nothing is known about the resources of a server; undefined where it announces them. */
export function needsResources({ knownResources = [] }: Situation): string | undefined {
  return knownResources.length > 0
    ? undefined
    : 'the server announces no resources that it knows (RFC 9728 §4)'
}

/** Why nothing is known about authorization details of a server; undefined where it announces types of them. */
export function needsDetailTypes({ detailTypes = [] }: Situation): string | undefined {
  return detailTypes.length > 0
    ? undefined
    : 'the server announces no types of authorization details (RFC 9396 §10)'
}
