import type { PlannedStep } from '../step.js'
import { afterwards, type PlanOptions, path, tokenStep } from './plan-parts.js'

/** The steps of a backchannel authentication before they happen (OpenID Connect CIBA Core §5). */
export function cibaPlan(options: PlanOptions): PlannedStep[] {
  return [
    {
      name: 'backchannel_authentication_request',
      from: 'client',
      to: 'authorization_server',
      title: `POST ${path(options.metadata.backchannel_authentication_endpoint, '/bc-authorize')}`,
      rfc: 'OpenID Connect CIBA Core §7.1',
      why: 'The client names a person, and asks the server to let that person log in on a device of their own.',
    },
    ...(isPinged(options) ? pingedSteps(options) : polledSteps(options)),
    ...afterwards(options),
  ]
}

export function isPinged({ backchannel }: Pick<PlanOptions, 'backchannel'>): boolean {
  return backchannel?.notificationEndpoint !== undefined
}

function polledSteps(options: PlanOptions): PlannedStep[] {
  return [
    tokenStep(options, {
      name: 'poll_request',
      rfc: 'OpenID Connect CIBA Core §10.1',
      why: 'The client asks for its tokens, and hears that nobody has decided.',
    }),
    ...approvalSteps(options),
    tokenStep(options, {
      rfc: 'OpenID Connect CIBA Core §10.1',
      why: 'The client waits as long as the server asked, and polls until there is a decision.',
    }),
  ]
}

function pingedSteps(options: PlanOptions): PlannedStep[] {
  return [
    ...approvalSteps(options),
    {
      name: 'ping_callback',
      from: 'authorization_server',
      to: 'client',
      title: `POST ${path(options.backchannel?.notificationEndpoint, '/notification')}`,
      rfc: 'OpenID Connect CIBA Core §10.2',
      why: 'The server notifies the client that there is a decision; the client checks the bearer token that it chose.',
    },
    tokenStep(options, {
      rfc: 'OpenID Connect CIBA Core §10.1',
      why: 'The notification holds no tokens: the client asks for them, and proves who it is.',
    }),
  ]
}

function approvalSteps({ backchannel }: PlanOptions): PlannedStep[] {
  if (backchannel?.decision === 'ignore') return []
  return [
    {
      name: 'approval_page',
      from: 'user_agent',
      to: 'authorization_server',
      title: 'GET the page that asks',
      rfc: 'OpenID Connect CIBA Core §8',
      why: 'The person opens the request on their own device, and compares the message that the client shows too.',
    },
    {
      name: 'approval',
      from: 'user_agent',
      to: 'authorization_server',
      title: 'POST the decision',
      rfc: 'OpenID Connect CIBA Core §8',
      why: 'The named person logs in and decides; nothing leads back to the client, which has no browser there.',
    },
  ]
}
