"""Makes the SAML fixtures of this folder with programs that share no code with oauth-lab.

    python3 -m venv /tmp/saml && /tmp/saml/bin/pip install signxml cryptography
    apt-get install xmlsec1
    /tmp/saml/bin/python make.py

The private keys are thrown away: the fixtures can be verified, and never be made anew with other words.
"""

import datetime
import pathlib
import subprocess
import tempfile

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID
from lxml import etree
from signxml import CanonicalizationMethod, DigestAlgorithm, SignatureConstructionMethod, SignatureMethod, XMLSigner

HERE = pathlib.Path(__file__).parent
DSIG = "http://www.w3.org/2000/09/xmldsig#"
EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#"


def assertion(ident, subject="alice", signature="", prefix="saml", extra=""):
    p = f"{prefix}:" if prefix else ""
    xmlns = f"xmlns:{prefix}" if prefix else "xmlns"
    return f"""<{p}Assertion {xmlns}="urn:oasis:names:tc:SAML:2.0:assertion" ID="{ident}" Version="2.0" \
IssueInstant="2026-01-01T00:00:00Z"><{p}Issuer>https://idp.example</{p}Issuer>{signature}
  <{p}Subject>
    <{p}NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified">{subject}</{p}NameID>
    <{p}SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">
      <{p}SubjectConfirmationData NotOnOrAfter="2026-01-01T00:05:00Z" Recipient="https://as.example/token"/>
    </{p}SubjectConfirmation>
  </{p}Subject>
  <{p}Conditions NotBefore="2026-01-01T00:00:00Z" NotOnOrAfter="2026-01-01T00:10:00Z">
    <{p}AudienceRestriction><{p}Audience>https://as.example</{p}Audience></{p}AudienceRestriction>
  </{p}Conditions>
  <{p}AuthnStatement AuthnInstant="2026-01-01T00:00:00Z">
    <{p}AuthnContext><{p}AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password\
</{p}AuthnContextClassRef></{p}AuthnContext>
  </{p}AuthnStatement>{extra}
</{p}Assertion>"""


def certificate(key, name):
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "idp.example")])
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime.datetime(2026, 1, 1))
        .not_valid_after(datetime.datetime(2046, 1, 1))
        .sign(key, hashes.SHA256())
    )
    pem = made.public_bytes(serialization.Encoding.PEM)
    (HERE / name).write_bytes(pem)
    return pem


def private_pem(key):
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def with_signxml(name, key, cert, xml, method, digest):
    signer = XMLSigner(
        method=SignatureConstructionMethod.enveloped,
        signature_algorithm=method,
        digest_algorithm=digest,
        c14n_algorithm=CanonicalizationMethod.EXCLUSIVE_XML_CANONICALIZATION_1_0,
    )
    root = etree.fromstring(xml)
    ident = root.get("ID")
    signed = signer.sign(root, key=private_pem(key), cert=cert.decode(), reference_uri=ident, id_attribute="ID")
    (HERE / name).write_bytes(etree.tostring(signed))


def with_xmlsec1(name, key, ident, method, digest, **words):
    template = f"""<ds:Signature xmlns:ds="{DSIG}"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="{EXCLUSIVE}"/>\
<ds:SignatureMethod Algorithm="{method}"/><ds:Reference URI="#{ident}"><ds:Transforms>\
<ds:Transform Algorithm="{DSIG}enveloped-signature"/><ds:Transform Algorithm="{EXCLUSIVE}">\
<ec:InclusiveNamespaces xmlns:ec="{EXCLUSIVE}" PrefixList="xs"/></ds:Transform></ds:Transforms>\
<ds:DigestMethod Algorithm="{digest}"/><ds:DigestValue/></ds:Reference></ds:SignedInfo><ds:SignatureValue/>\
</ds:Signature>"""
    with tempfile.TemporaryDirectory() as folder:
        key_file = pathlib.Path(folder, "key.pem")
        key_file.write_bytes(private_pem(key))
        source = pathlib.Path(folder, "in.xml")
        source.write_text(assertion(ident, signature=template, **words), encoding="utf-8")
        done = subprocess.run(
            ["xmlsec1", "--sign", "--privkey-pem", key_file, "--id-attr:ID",
             "urn:oasis:names:tc:SAML:2.0:assertion:Assertion", source],
            check=True, capture_output=True,
        )
    (HERE / name).write_bytes(done.stdout)


ATTRIBUTES = """
  <saml:AttributeStatement>
    <saml:Attribute Name="mail"><saml:AttributeValue xmlns:xs="http://www.w3.org/2001/XMLSchema" \
xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">a&amp;b@example.com</saml:AttributeValue>\
</saml:Attribute>
  </saml:AttributeStatement>"""

rsa_key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
ec_key = ec.generate_private_key(ec.SECP256R1())
rsa_cert = certificate(rsa_key, "rsa.crt")
ec_cert = certificate(ec_key, "ec.crt")
MORE = "http://www.w3.org/2001/04/xmldsig-more#"

with_signxml("signxml-rsa-sha256.xml", rsa_key, rsa_cert, assertion("_signxml-rsa"),
             SignatureMethod.RSA_SHA256, DigestAlgorithm.SHA256)
with_signxml("signxml-rsa-sha512-no-prefix.xml", rsa_key, rsa_cert, assertion("_signxml-512", prefix=""),
             SignatureMethod.RSA_SHA512, DigestAlgorithm.SHA512)
with_signxml("signxml-ecdsa-sha256.xml", ec_key, ec_cert, assertion("_signxml-ec", extra=ATTRIBUTES),
             SignatureMethod.ECDSA_SHA256, DigestAlgorithm.SHA384)
with_xmlsec1("xmlsec1-rsa-sha256.xml", rsa_key, "_xmlsec-rsa", MORE + "rsa-sha256",
             "http://www.w3.org/2001/04/xmlenc#sha256", extra=ATTRIBUTES)
with_xmlsec1("xmlsec1-rsa-sha384-unicode.xml", rsa_key, "_xmlsec-384", MORE + "rsa-sha384",
             MORE + "sha384", subject="Zoë &lt;zoë@example.com&gt;")
with_xmlsec1("xmlsec1-rsa-sha1.xml", rsa_key, "_xmlsec-sha1", DSIG + "rsa-sha1", DSIG + "sha1")
# A comment inside the name, signed as it is: the name is what stands on both sides of it.
with_xmlsec1("xmlsec1-comment.xml", rsa_key, "_xmlsec-comment", MORE + "rsa-sha256",
             "http://www.w3.org/2001/04/xmlenc#sha256", subject="alice<!-- -->.example")
