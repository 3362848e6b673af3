/** The endpoint that clients ask (OpenID Connect CIBA Core §7). */
export const AUTHENTICATION_PATH = '/bc-authorize'

/** The page on which a person decides (OpenID Connect CIBA Core §8). */
export const APPROVAL_PATH = '/ciba'
