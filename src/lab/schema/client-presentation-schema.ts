import { z } from 'zod'

const page = z.url({ protocol: /^https?$/ }).optional()

/** The members of a client that describe it on the pages that ask people (RFC 7591 §2). */
export const clientPresentation = {
  client_uri: page.describe('A page about the client, linked where people are asked'),
  logo_uri: page.describe('Its picture, shown there'),
  policy_uri: page.describe('A page on what it does with data'),
  tos_uri: page.describe('Its terms of service'),
}
