. "$(dirname "$0")/common.sh"
cat >a.xml <<'X'
<?xml version="1.0"?>
<!DOCTYPE a [<!ELEMENT a (b*,c?)><!ELEMENT b (#PCDATA)><!ELEMENT c EMPTY><!ATTLIST a x CDATA #REQUIRED n (p|q) "p"><!ENTITY e "ent &#65;">]>
<a x="1" xmlns:s="urn:s"><b>text &e; &amp;</b><b><![CDATA[<raw>]]></b><?pi data?><!-- note --><c/></a>
X
cat >s.xsd <<'X'
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="r"><xs:complexType><xs:sequence><xs:element name="i" type="xs:int" maxOccurs="3"/></xs:sequence><xs:attribute name="d" type="xs:date"/></xs:complexType></xs:element></xs:schema>
X
cat >s.rng <<'X'
<element name="r" xmlns="http://relaxng.org/ns/structure/1.0"><oneOrMore><element name="i"><text/></element></oneOrMore><optional><attribute name="d"/></optional></element>
X
echo '<r d="2001-02-03"><i>1</i><i>x</i></r>' >r.xml
printf '<html><p>one<br>two<b>three</p><img src=x></html>' >h.html
case $1 in
  *)
    for a in "" --format --c14n --noent --valid --postvalid --sax --stream --push --debug "--walker --stream" --canonical --noblanks "--encode UTF-16" --dropdtd --memory --auto --nowrap "--xpath //b[1]/text()" "--xpath count(//b)*2" "--xpath string(//@x)" "--pattern /a/b --stream" --copy --repeat --huge "--pretty 2" --xinclude --nsclean --loaddtd --dtdattr --exc-c14n; do show xmllint $a a.xml; done
    for a in --html "--html --xmlout" "--html --format" "--html --push" "--html --sax"; do show xmllint $a h.html; done
    show xmllint --noout --schema s.xsd r.xml; show xmllint --noout --relaxng s.rng r.xml; echo '<r><i>5</i></r>' >q.xml; show xmllint --noout --schema s.xsd q.xml; show xmllint --stream --relaxng s.rng q.xml
    echo '<a><b></a>' | show xmllint -; echo '<a><b></a>' | show xmllint --recover -; printf '<a>\377&x;</a>' | show xmllint -; show xmllint /none.xml; printf 'ls\ncd a\npwd\ncat b[1]\nxpath //c\ndu\ngrep text\nbye\n' | show xmllint --shell a.xml
    for f in "$SOURCE"/doc/*.html "$SOURCE"/doc/*.xml; do xmllint --html --sax "$f" 2>&1 | cksum; xmllint --html --noout "$f" 2>&1 | wc -l; done ;;
esac
