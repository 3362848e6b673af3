/** Sections with a MUST of the RFCs on HTTP, TLS and their parts that the program refers to. */
export const musts = {
  'RFC 6585 §4': '429 says that there were too many requests; no cache keeps it.',
  'RFC 7617 §2': 'Basic sends the name and password, joined by a colon, in base64.',
  'RFC 8259 §8.1': 'JSON between systems is UTF-8.',
  'RFC 8446 §4': 'Handshake messages of TLS come in their order, or the connection is closed.',
  'RFC 8996 §4': 'TLS 1.0 is not used.',
  'RFC 8996 §5': 'TLS 1.1 is not used.',
  'RFC 9110 §8.4': 'Content-Encoding lists the codings of a body, in the order in which they were applied.',
  'RFC 9110 §8.6': 'Content-Length is the number of octets of the body, and says nothing else.',
  'RFC 9110 §9.3.2': 'HEAD is answered as GET, without a body.',
  'RFC 9110 §12.5.3': 'Accept-Encoding lists the codings that a client accepts, with weights; 0 refuses.',
  'RFC 9110 §12.5.5': 'Vary names the request fields that an answer depends on, for caches.',
  'RFC 9110 §13.1.2': 'If-None-Match with the present tag is answered 304, without a body.',
  'RFC 9110 §14.2': 'Range asks for parts of a body, and a server may ignore it.',
  'RFC 9110 §15.4.5': '304 repeats the fields that a 200 would have had, such as ETag and Vary.',
  'RFC 9110 §15.4.8': '307 has the same request sent to another address: the method and the body stay.',
  'RFC 9112 §6.1': 'Transfer-Encoding is for HTTP/1.1; a message with it and Content-Length is suspicious.',
  'RFC 9112 §6.3': 'The length of a message follows from its fields in one fixed order.',
  'RFC 9325 §3.1.1': 'Servers support TLS 1.2 and refuse SSL; TLS 1.3 is preferred.',
  'RFC 9325 §4.2': 'TLS 1.2 uses suites with ECDHE and AES-GCM, without CBC and without RSA key transport.',
} as const

/** Other sections that the program refers to. */
export const others = {
  'RFC 9110 §12.4.2': 'A weight goes from 0, never, to 1; without one it is 1.',
  'RFC 3986 §2': 'A URI consists of a few ASCII characters; others are percent-encoded.',
  'RFC 6265 §8.3': 'A cookie without Secure travels in the clear.',
  'RFC 8878 §3.1': 'A zstd frame has a header with the size of its window.',
  'RFC 9110 §8.4.1': 'The codings: gzip, deflate, br, zstd.',
  'RFC 9110 §8.4.1.2': 'deflate is zlib around a deflate stream.',
  'RFC 9110 §8.8.1': 'A strong tag stands for the same octets, a weak one for the same meaning.',
  'RFC 9110 §9.3': 'Each method has a meaning: GET reads, POST processes.',
  'RFC 9110 §15.4': 'A redirect asks the client to send another request to another address.',
  'RFC 9110 §15.4.9':
    '308 has the same request sent to another address from now on: the method and the body stay.',
  'RFC 9110 §15.5.1': '400 says that the server does not act on a request that is wrong.',
  'RFC 9110 §15.5.10': '409 says that a request conflicts with the present state.',
  'RFC 9110 §15.5.14': '413 says that a request is larger than the server reads.',
  'RFC 9110 §15.5.16': '415 says that a server does not read this media type.',
  'RFC 9110 §15.6.1': '500 says that the server failed.',
  'RFC 9110 §15.6.4': '503 says that the server cannot answer now.',
  'RFC 9110 §17.6': 'The length of a body that is compressed with text of an attacker reveals its secrets.',
} as const
