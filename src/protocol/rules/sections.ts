import * as assertions from './sections/assertions.js'
import * as authentication from './sections/authentication.js'
import * as bearer from './sections/bearer.js'
import * as binding from './sections/binding.js'
import * as ciba from './sections/ciba.js'
import * as clientDocuments from './sections/client-documents.js'
import * as deviceAndExchange from './sections/device-and-exchange.js'
import * as http from './sections/http.js'
import * as jose from './sections/jose.js'
import * as mac from './sections/mac.js'
import * as mcp from './sections/mcp.js'
import * as metadata from './sections/metadata.js'
import * as nativeAndPkce from './sections/native-and-pkce.js'
import * as openidCore from './sections/openid-core.js'
import * as openidOthers from './sections/openid-others.js'
import * as profiles from './sections/profiles.js'
import * as registration from './sections/registration.js'
import * as requests from './sections/requests.js'
import * as resources from './sections/resources.js'
import * as responseJwts from './sections/response-jwts.js'
import * as rfc6749 from './sections/rfc6749.js'
import * as rfc9700 from './sections/rfc9700.js'
import * as tokenStatus from './sections/token-status.js'

/** The sections that hold a MUST, each with its demand in one sentence. */
export const MUSTS = {
  ...rfc6749.musts,
  ...bearer.musts,
  ...tokenStatus.musts,
  ...assertions.musts,
  ...registration.musts,
  ...nativeAndPkce.musts,
  ...metadata.musts,
  ...deviceAndExchange.musts,
  ...binding.musts,
  ...resources.musts,
  ...requests.musts,
  ...rfc9700.musts,
  ...openidCore.musts,
  ...openidOthers.musts,
  ...responseJwts.musts,
  ...ciba.musts,
  ...profiles.musts,
  ...jose.musts,
  ...http.musts,
  ...authentication.musts,
  ...mac.musts,
  ...mcp.musts,
  ...clientDocuments.musts,
} as const

/** The other sections that the program refers to: recommendations, explanations and attacks. */
export const OTHERS = {
  ...rfc6749.others,
  ...bearer.others,
  ...tokenStatus.others,
  ...assertions.others,
  ...nativeAndPkce.others,
  ...metadata.others,
  ...deviceAndExchange.others,
  ...resources.others,
  ...requests.others,
  ...rfc9700.others,
  ...openidCore.others,
  ...openidOthers.others,
  ...responseJwts.others,
  ...profiles.others,
  ...jose.others,
  ...http.others,
  ...mac.others,
  ...mcp.others,
  ...clientDocuments.others,
} as const
