/** Sections with a MUST of JWT Secured Authorization Response Mode (JARM). */
export const musts = {
  'JARM §2.1':
    'A response JWT has iss, aud and exp, and every parameter of the response; errors come in one too.',
  'JARM §2.3.1':
    'query.jwt is not for response types with a token or an id_token, unless the response is encrypted.',
  'JARM §2.4':
    'A client checks iss, aud, exp and the signature of a response before it uses any parameter of it.',
  'JARM §3': 'Responses are signed, RS256 by default and never none; encryption comes after the signature.',
} as const

/** Other sections that the program refers to. */
export const others = {
  'JARM §2.3': 'A client asks for a response JWT by response_mode, and finds it in the parameter response.',
  'JARM §2.3.4': 'response_mode=jwt is query.jwt for code, and fragment.jwt for types with tokens.',
  'JARM §4': 'Metadata name the algorithms of response JWTs, and jwt modes among the response modes.',
} as const
