/** The ways of a response through the browser (OAuth 2.0 Multiple Response Type Encoding Practices §2.1, Form Post Response Mode). */
const DELIVERIES = ['query', 'fragment', 'form_post'] as const
export type Delivery = (typeof DELIVERIES)[number]

/** The known values of response_mode. With `jwt` the response travels as a JWT (JARM §2.3). */
export const RESPONSE_MODES = [...DELIVERIES, 'query.jwt', 'fragment.jwt', 'form_post.jwt', 'jwt'] as const
export type ResponseMode = (typeof RESPONSE_MODES)[number]

/** True for a response mode whose response is a JWT. */
export function isJwtMode(mode: string | undefined): boolean {
  return mode !== undefined && /(^|\.)jwt$/.test(mode)
}

/**
 * Returns the way of a response.
 * @param usual the way of its response type, for a request without a response mode and for `jwt` (JARM §2.3.4)
 */
export function deliveryOf(mode: ResponseMode | undefined, usual: Delivery): Delivery {
  const named = DELIVERIES.find(each => mode === each || mode === `${each}.jwt`)
  return named ?? usual
}
