import { z } from 'zod'

const address = z.string().min(1).optional()
const flag = z.boolean().optional()

/** The members of a client about logout. */
export const clientLogout = {
  backchannel_logout_uri: address.describe(
    'Receives a signed logout token when a session of the client ends',
  ),
  backchannel_logout_session_required: flag.describe(
    'The client needs sid in logout tokens, which always have it',
  ),
  frontchannel_logout_uri: address.describe(
    'Opened in a frame of the logout page; on the host of a redirect_uri',
  ),
  frontchannel_logout_session_required: flag.describe(
    'The client needs iss and sid there, which are always sent',
  ),
}
