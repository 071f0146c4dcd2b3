// Names as people mistype or mishear them, with the right names. Numbers are other spellings of a telephone number, or have one
// wrong digit.

const lines = `
# German
Jürgen Müller: Jorgen Muler
Käthe Großmann: Kaete Grossman
Jörg Schäfer: Joerg Schaefer
Matthias Schmidt: Mathias Schmitt
Günther Weißhaupt: Gunter Weishaupt
Ännchen Köhler: Aennchen Koeler
Friedrich Böttcher: Fridrich Bötcher
Stephanie Kretzschmar: Stefanie Kretschmar
Rüdiger Vogt: Rudiger Voigt
Christoph Meyer-Landrut: Kristof Maier Landrut
Heike Brückner: Haike Bruckner
Sönke Petersen: Soenke Pedersen
Ulrich Wölfel: Ulrch Woelfel
Gerda Häußler: Gerda Haeusler
Wolfgang Zimmermann: Wolfang Zimerman
Katharina Jäger: Catharina Jaeger
Thorsten Schulze: Torsten Schultze
Lieselotte Pfeiffer: Liselotte Pfeifer
Dörte Hüsch: Doerte Huesch
Philipp Kühn: Phillip Kuhn
# French
François Lefèvre: Francois Lefebvre
Élodie Beauséjour: Elodie Bosejour
Jean-Baptiste Deschênes: Jean Batiste Deschene
Geneviève Châtelain: Genevieve Chatelin
Aurélien Thévenot: Orelien Tevenot
Margaux Delacroix: Margot Delacroi
Théophile Guérin: Teophile Guerain
Cécile Rousseau: Cecil Rouseau
Benoît Fournier: Benoit Fornier
Hélène d’Aubigné: Helene Daubigne
Loïc Le Gall: Loic Legall
Anaïs Boulanger: Anais Boulangé
Raphaël Peyrefitte: Rafael Perefitte
Yseult Marchand: Iseult Marchant
Clémence Vaillancourt: Clemance Vaillancour
Grégoire Hénault: Gregoir Heno
Océane Moreau: Oceane Morau
Thibault Lemaître: Thibaut Lemaitre
Solène Dubois: Solenne Duboit
Jérôme Cottereau: Gerome Coterau
# Turkish
Şükrü Çağlar: Sukru Caglar
Ayşegül Yıldırım: Aysegul Yildirm
İbrahim Öztürk: Ibrahim Ozturk
Gülşen Kılıçdaroğlu: Gulsen Kilicdaroglu
Ömer Faruk Erdoğan: Omar Faruk Erdogan
Çiğdem Aydın: Cigdem Aydin
Mehmet Karakaş: Mehmed Karakas
Zübeyde Güneş: Zubeide Gunesh
Hüseyin Çelik: Husein Celik
Işıl Başaran: Isil Basharan
Oğuzhan Şahin: Oguzhan Sahn
Nilüfer Özdemir: Nilufer Oezdemir
Emre Kocabıyık: Emre Kocabiyk
Tuğba Türkoğlu: Tugba Turkoglou
Süleyman Demirtaş: Suleiman Demirtas
Elif Şafak: Elif Shafak
Yağmur Doğan: Yagmur Dogann
Bülent Ecevit: Bulent Ecevitt
Fatma Gökçe: Fatima Gokce
Kadir Üstündağ: Kadir Ustundag
# Polish
Łukasz Wiśniewski: Lukas Wisniewsky
Małgorzata Kowalczyk: Malgorzata Kovalczyk
Grzegorz Brzęczyszczykiewicz: Gregorz Brzeczyszczykiewic
Agnieszka Wójcik: Agneszka Wojcik
Zbigniew Dąbrowski: Zbigniev Dabrowsky
Katarzyna Szymańska: Katarzina Szymanska
Paweł Jabłoński: Pawel Jablonsky
Krzysztof Żółtowski: Krzystof Zoltowski
Świętosława Gąska: Swietoslawa Gonska
Andrzej Piątek: Andrej Piatek
Elżbieta Kamińska: Elzbeta Kaminska
Michał Woźniak: Michal Wozniac
Bożena Ćwiklińska: Bozena Cwiklinska
Stanisław Lewandowski: Stanislav Lewandowsky
Jadwiga Pawłowska: Jadviga Pavlowska
Przemysław Krawczyk: Przemyslav Krafczyk
Joanna Zając: Joana Zajonc
Tadeusz Kościuszko: Tadeus Kosciusko
Wojciech Górski: Voytech Gorski
Magdalena Jabłkowska: Magdalena Jablkovska
# English
Catherine Thompson: Katherine Thomson
Jonathan Macpherson: Johnathan McPherson
Siobhan O’Shaughnessy: Shiobhan Oshaughnesy
Geoffrey Wainwright: Jeffrey Wainright
Philippa Featherstonehaugh: Phillipa Fetherstonehaugh
Nicholas Beauchamp: Nicolas Beachamp
Gwendolyn Abernathy: Gwendolin Abernethy
Stephen Fitzgerald: Steven Fitzgereld
Rebecca Cholmondeley: Rebeca Cholmondley
Christopher Lloyd: Christofer Loyd
# Digits
+49 176 55512345: 0176 55512345
+33 6 12 34 56 78: 06 12345678
+90 532 765 43 21: 0532 7654321
+48 601 223 344: 601-223-344
+44 20 7946 0958: (020) 79460958
+49 30 901820: 030/901820
0043 664 1234567: +43 664 1234568
+1 415 555 2671: 4155552671
+41 44 668 18 00: 044 668 18 01
+49 89 21180417: 089 2118 0471
`;

export interface Misspelt {
  /** A name, or the telephone number of a person. */
  readonly right: string;
  readonly misspelt: string;
  readonly group: string;
}

/** One hundred misspelt names. */
export const misspeltNames: readonly Misspelt[] = read(lines);

function read(text: string): Misspelt[] {
  let group = '';
  return text
    .trim()
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('# ')) group = line.slice(2);
      const [right = '', misspelt] = line.split(': ');
      return misspelt === undefined ? [] : [{ right, misspelt, group }];
    });
}
