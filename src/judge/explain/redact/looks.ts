/** Words that are no secret and nobody's name where they stand in an address or a sentence. */
const COMMON = new Set(
  `about access account accounts action active admin administrator alias all and anonymous api app application apps
  array auth authenticate authentication authorization authorize bearer boolean browser callback cancel card charset
  check client clients code common company config confirm consent console const consumer continue cookie css customer
  dashboard data default demo denied deny dev developer device document email employee encode error errors example
  expired false for form function get grant group groups guest has help home host html http https index info internal
  invalid issuer item items javascript json key keys local localhost login logout mail main manager member members
  message missing mobile mode name new none not null number oauth oauth2 object oidc old online openid operator order
  organization owner page parse password people person phone plain platform portal private profile provider public
  realm redirect refresh register request required reset resource resources response return role root saml scope
  secret secure security server service session settings sign signin signout signup site sso start state status
  string stringify success support system team tenant test tester testing text the this token tokens true type
  undefined unknown update url user userinfo username users utf valid value verify view was web website welcome
  window with work world wrong www xml you your`.split(/\s+/),
)

export const isCommonWord = (word: string): boolean => COMMON.has(word.toLowerCase())

/** Beginnings of keys and tokens of well-known services. */
const PREFIX =
  /^(?:ey[JA-Za-z]|(?:sk|pk|rk|whsec|ak|key|tok|pat|api|sess|cs|seti|pi)_(?:live_|test_|prod_)?|sk-|gh[opsur]_|github_pat_|gl[a-z]{2,8}-|xox[a-z]-|xapp-|AKIA|ASIA|AIza|ya29\.|GOCSPX-|1\/\/0|SG\.|shp[a-z]{2}_|npm_|pypi-|do[opr]_v1_|hf_|hv[bsr]\.|lin_api_|sq0|PMAK-|dapi|NRAK-|EAA|dckr_pat_|rubygems_|sntrys_|tskey-|ops_|age-secret-key-|-----BEGIN)[\w+/=.~-]{10,}/

/** Segments that are identifiers of a page or a tenant, such as a GUID in an issuer, stay: they are no credentials. */
const GUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

const STATIC = /\.(?:js|mjs|css|map|png|jpe?g|gif|svg|webp|ico|woff2?|ttf|html?|json|xml|txt|wasm)$/i

/** Times that a character is of another kind than the one before it: digit, lower, upper. The capital of a word counts once. */
function changesOf(text: string): number {
  let changes = 0
  let last = ''
  for (const char of text) {
    const kind = /\d/.test(char)
      ? 'digit'
      : /\p{Lu}/u.test(char)
        ? 'upper'
        : /\p{L}/u.test(char)
          ? 'lower'
          : ''
    if (kind === '') continue
    if (last !== '' && kind !== last && !(last === 'upper' && kind === 'lower')) changes += 1
    last = kind
  }
  return changes
}

/** Words with marks between them, such as the title of a page. */
const SLUG = /^[a-z]{1,15}\d?(?:[-_.](?:[a-z]{1,15}\d?|\d{1,4}))+$/

/** True for an address of a person, and for a token or key that begins as those of a known kind. */
export function isPlainSecret(word: string): boolean {
  return PREFIX.test(word) || (/[^\s@]@[^\s@]*[^\s@\d.]/.test(word) && word.length <= 1000)
}

/** True for a word that a program made up, such as a token in a link, and not a word of an address. */
export function looksSecret(word: string): boolean {
  if (GUID.test(word)) return false
  if (isPlainSecret(word) || word.startsWith('@') || word.length > 64) return true
  if (word.length < 8 || STATIC.test(word)) return false
  if (/^\+?\d{9,}$/.test(word)) return true
  if (!/\p{L}/u.test(word)) return false
  const changes = changesOf(word)
  if (!/\d/.test(word))
    return word.length >= 16 && (changes * 4 > word.length || (/^[a-z]+$/.test(word) && word.length > 24))
  return (changes >= 3 && changes * 4 >= word.length) || (word.length >= 16 && !SLUG.test(word))
}
