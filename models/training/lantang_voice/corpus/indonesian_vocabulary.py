"""Indonesian words, phrases and sentences written for this corpus, by the slot that they fill."""


def _split(text: str) -> list[str]:
    return [phrase.strip() for phrase in text.replace("\n", " ").split("|") if phrase.strip()]


WHO = _split("""
saya|kami|kita|dia|mereka|anak itu|ibu guru|ayah saya|adik perempuan saya|kakak laki-laki saya|teman-teman kami|
petani di desa|nelayan tua|dokter muda|seorang pedagang|para siswa|pemerintah daerah|pegawai kantor|tetangga sebelah|
keluarga besar kami|penyanyi terkenal itu|sopir bus|tukang kayu|mahasiswa baru|pengunjung museum|kepala desa|
perawat rumah sakit|penjaga toko|seorang wartawan|pelatih renang|nenek dan kakek|guru bahasa|pemuda kampung|
juru masak hotel|arsitek muda|polisi lalu lintas|pemain gitar|bayi mungil itu|para penumpang|ketua panitia|
pengusaha kaya|anggota dewan|paman dari Medan|bibi di Surabaya|orang asing itu|seorang ilmuwan|pengrajin batik|
penjual sate|hakim agung|atlet bulu tangkis|murid-murid kelas lima|semua orang|tidak seorang pun|
""")

DOES = _split("""
membaca buku cerita|menulis surat panjang|membeli sayur dan buah|memasak nasi goreng|menyanyikan lagu lama|
mengerjakan tugas sekolah|menunggu kereta api|mencari kunci yang hilang|memperbaiki sepeda tua|menjual ikan segar|
mengunjungi rumah nenek|bermain sepak bola|belajar bahasa Indonesia|menonton film baru|membersihkan halaman belakang|
mengajar ilmu pengetahuan|berjalan kaki ke pasar|mengambil foto pemandangan|menyiapkan makan malam|
menyimpan uang di bank|mendengarkan radio|menjawab semua pertanyaan|meminjam payung hitam|memotong rumput liar|
mengirim pesan singkat|menggambar peta dunia|menyiram tanaman hias|berenang di sungai|memanjat pohon kelapa|
menjahit baju batik|mencuci piring kotor|menyeberang jalan raya|mengangkat kotak besar|menutup jendela kamar|
menyewa perahu kecil|memeriksa kesehatan gigi|membangun jembatan bambu|menanam padi dan jagung|
mengucapkan terima kasih|memesan kopi hangat|mengecat dinding rumah|memasang lampu taman|menerjemahkan naskah kuno|
menghitung uang kembalian|memilih ketua kelas|merayakan hari ulang tahun|menyelesaikan masalah keluarga|
memakai jaket tebal|menyusun rencana perjalanan|melukis gunung berapi|menyalakan lilin kecil|mengisi bensin|
menghafal puisi pendek|memelihara kambing dan ayam|membuka toko kue|mengantar adik ke sekolah|memancing di danau|
menelepon kantor polisi|menggoreng pisang dan tempe|bersepeda keliling kota|berbicara dengan suara pelan|
bercerita tentang masa kecil|berlatih menari saman|bekerja di pabrik sepatu|berangkat ke luar negeri|
tertawa terbahak-bahak|tidur di bawah pohon rindang|duduk di bangku taman|terjatuh dari tangga|
kehilangan dompet cokelat|kedinginan di dalam kamar|memperkenalkan diri kepada tamu|mempertimbangkan usul itu|
menyaksikan pertunjukan wayang|mendaki bukit terjal|mengembalikan buku pinjaman|menghangatkan sayur lodeh|
mengumpulkan perangko bekas|membungkus hadiah ulang tahun|mencatat nomor telepon|melupakan janji penting|
menggendong bayi yang menangis|mengupas bawang sambil bernyanyi|menyelamatkan anjing yang tenggelam|
mempersiapkan upacara pernikahan|menghadiri rapat mendadak|memperbarui daftar hadir|menawar harga sampai murah|
mengunggah foto ke internet|mengunduh berkas dari kantor|menghapus pesan yang salah kirim|mengganti ban yang kempis|
menyebarkan undangan|memadamkan api unggun|menyelidiki sebab kebakaran|meramalkan cuaca esok hari|
menertawakan lelucon lama|memeluk sahabat karibnya|mengetuk pintu tiga kali|menggergaji papan tipis|
mengayuh perahu melawan arus|menyembunyikan surat rahasia|memberi makan kucing liar|memperdebatkan hasil pemilihan|
menandatangani surat perjanjian|mengeringkan cengkih di halaman|menyaring air kelapa|memahat patung kayu|
menganyam tikar pandan|memutar lagu kesukaannya|mengheningkan cipta|mengejar bus yang hampir berangkat|
""")

WHEN = _split("""
setiap pagi|kemarin sore|tadi malam|minggu depan|pada hari Senin|pukul tujuh|sejak bulan Januari|
sebelum matahari terbit|setelah hujan deras|sepanjang musim kemarau|besok siang|sekarang juga|dua jam yang lalu|
pada akhir tahun|hampir setiap hari|dari pagi sampai malam|menjelang magrib|seminggu sekali|tahun lalu|lusa nanti|
pada zaman dahulu|ketika lampu padam|selama bulan puasa|pada malam Minggu|sesudah makan siang|akhir-akhir ini|
""")

WHERE = _split("""
di rumah|di sekolah|di pinggir pantai|di kota Yogyakarta|di pasar tradisional|di kebun belakang|di dekat stasiun|
di ruang tunggu|di kampung halaman|di puncak gunung|di perpustakaan umum|di sebuah warung kecil|di pulau Jawa|
di tengah hutan|di lantai atas|di tepi sawah|di bandara Soekarno-Hatta|di seberang jalan|di balik bukit|
di teras depan|di kantor pos|di lapangan upacara|di bengkel motor|di gang sempit|di bawah jembatan|di alun-alun|
di pelabuhan Makassar|di kaki gunung Merapi|di dapur umum|di atas kapal feri|
""")

WHY = _split("""
karena cuaca sangat cerah|walaupun badannya lelah|supaya cepat selesai|sambil tersenyum|dengan penuh semangat|
agar tidak terlambat|meskipun harganya mahal|dengan sangat hati-hati|tanpa bantuan siapa pun|bersama sahabatnya|
sebab jalannya macet|asalkan diberi izin|sehingga semua orang terkejut|sebelum pintunya ditutup|
jika keadaan memungkinkan|seolah-olah tidak terjadi apa-apa|kecuali kalau turun hujan|demi masa depan anaknya|
begitu mendengar kabar itu|padahal belum sempat sarapan|selagi masih ada waktu|berkat nasihat gurunya|
""")

THINGS = _split("""
apel|jeruk|mangga|pisang|pepaya|rambutan|durian|nanas|semangka|kelapa|beras|gula|garam|kopi|teh|susu|telur|tahu|tempe|
sambal|kecap|bawang merah|cabai|wortel|kentang|kangkung|bayam|ikan|udang|cumi-cumi|ayam|bebek|kambing|sapi|kerbau|
kuda|kucing|anjing|tikus|burung|ular|gajah|harimau|monyet|kupu-kupu|lebah|semut|nyamuk|buku|pensil|kertas|gunting|
payung|sepatu|sandal|baju|celana|topi|kacamata|jam tangan|meja|kursi|lemari|kasur|bantal|selimut|piring|sendok|
garpu|gelas|panci|pisau|ember|sapu|kunci|lampu|kipas angin|televisi|telepon|komputer|sepeda|mobil|perahu|kereta api|
pesawat|jembatan|gunung|sungai|danau|pantai|hutan|sawah|ladang|bunga melati|anggrek|mawar|bambu|rotan|emas|perak|
""")

BORROWED = _split("""
film|foto|fakta|fisika|filsafat|fungsi|fosil|fasih|fitnah|fajar|fantastis|favorit|formulir|frekuensi|infeksi|sifat|
maaf|huruf|tarif|aktif|relatif|positif|negatif|alfabet|telefon|profesor|sertifikat|vaksin|vitamin|video|visa|volume|
virus|vokal|variasi|vertikal|universitas|provinsi|novel|November|aktivitas|kreativitas|televisi|revolusi|
investasi|oven|nirwana|zaman|zat|zona|zebra|ziarah|zakat|izin|azan|ijazah|lezat|rezeki|azas|mukjizat|plaza|gazebo|
gizi|syarat|syukur|syair|syahdu|musyawarah|isyarat|asyik|dahsyat|masyarakat|syal|khas|khusus|khawatir|khayal|
khidmat|akhir|akhlak|makhluk|tarikh|ikhlas|ikhtisar|khatulistiwa|xilofon|xenon|taksi|ekspor|kompleks|teks|refleks|
indeks|quran|akuarium|kualitas|struktur|strategi|transportasi|spektrum|psikologi|klasik|krisis|plastik|grafik|
proklamasi|drama|swalayan|optik|dokter|helm|elektronik|institut|standar|sains|modern|kolektif|objektif|
""")

ADJECTIVES = _split("""
besar|kecil|panjang|pendek|tinggi|rendah|panas|dingin|hangat|sejuk|manis|asin|asam|pahit|pedas|lezat|indah|cantik|
tampan|kotor|bersih|berat|ringan|cepat|lambat|mahal|murah|sulit|mudah|ramai|sepi|gelap|terang|keras|lembut|tua|muda|
baru|lama|kuat|lemah|berani|penakut|jujur|licik|ramah|galak|sabar|rajin|malas|sedih|gembira|marah|bingung|khawatir|
nyaman|aneh|unik|penting|berbahaya|menyenangkan|mengejutkan|membosankan|sederhana|mewah|nyaring|sunyi|
""")

PEOPLE = _split("""
Budi|Siti|Agus|Dewi|Joko|Rina|Wahyu|Fitri|Hendra|Yuni|Bambang|Ratna|Eko|Sri|Dimas|Putri|Rizky|Ayu|Fajar|Nurul|Galih|
Melati|Teguh|Lestari|Zainal|Khadijah|Yusuf|Aisyah|Syarif|Vina|Ferdinand|Xaverius|Ketut|Wayan|Made|Nyoman|Togar|
Ucok|Maria|Yohanes|Andi|Cut Nyak Dien|Kartini|Sukarno|Hatta|Sudirman|Chairil Anwar|Pramoedya|Habibie|
""")

FAMILIES = _split("""
Santoso|Wijaya|Hidayat|Siregar|Nasution|Simanjuntak|Harahap|Lubis|Saputra|Kusuma|Pratama|Nugroho|Setiawan|Gunawan|
Halim|Tanjung|Sihombing|Rahman|Fauzi|Syahputra|Purnomo|Suryadi|Wibowo|Hutapea|Mangkunegara|Pattimura|Yudhoyono|
""")

PLACES = _split("""
Jakarta|Bandung|Surabaya|Medan|Makassar|Semarang|Palembang|Denpasar|Yogyakarta|Banjarmasin|Pontianak|Manado|Ambon|
Jayapura|Kupang|Mataram|Padang|Pekanbaru|Jambi|Bengkulu|Lampung|Serang|Bogor|Malang|Kediri|Solo|Cirebon|Tasikmalaya|
Balikpapan|Samarinda|Kendari|Palu|Gorontalo|Ternate|Sorong|Merauke|Sabang|Aceh|Bali|Lombok|Flores|Sumba|Sulawesi|
Kalimantan|Sumatra|Papua|Singapura|Malaysia|Jepang|Korea|Cina|India|Mesir|Turki|Prancis|Jerman|Belanda|Inggris|
Amerika Serikat|Australia|Brasil|Afrika Selatan|Rusia|Vietnam|Filipina|Swiss|Meksiko|
""")

MONTHS = "Januari Februari Maret April Mei Juni Juli Agustus September Oktober November Desember".split()
DAYS = ["Senin", "Selasa", "Rabu", "Kamis", "Jumat", "Sabtu", "Minggu"]
UNITS = _split(
    "meter|kilometer|kilogram|gram|liter|derajat|persen|jam|menit|detik|orang|lembar|ekor|buah|batang|halaman"
)
ACRONYMS = "KTP SIM PLN DPR MPR TNI PBB BBM HP TV AC PT UGM ITB BUMN KRL MRT RT RW SMA SD BCA WIB WHO USB GPS".split()

EVERYDAY = _split("""
Selamat pagi!|Selamat siang, Pak.|Selamat sore, Bu.|Selamat malam.|Selamat datang di {place}.|Apa kabar?|
Kabar baik, terima kasih.|Terima kasih banyak atas bantuannya.|Sama-sama.|Maaf, saya terlambat karena jalan macet.|
Permisi, numpang tanya.|Sampai jumpa besok.|Hati-hati di jalan!|Silakan masuk.|Silakan duduk dulu.|Tunggu sebentar, ya.|
Nama saya {person}.|Saya berasal dari {place}.|Senang berkenalan dengan Anda.|Ya.|Tidak.|Belum.|Sudah.|Boleh.|Mungkin.|
Tentu saja!|Baiklah.|Benar sekali.|Halo, dunia!|Halo, {person}!|Ini adalah sebuah uji coba.|Tes, satu, dua, tiga.|
Satu, dua, tiga, empat, lima, enam, tujuh, delapan, sembilan, sepuluh.|Pesanan Anda sudah siap.|Kode Anda adalah {code}.|
Anda memiliki {small} pesan baru.|Tekan {digit} untuk melanjutkan.|Belok kiri setelah {number} meter.|Rapat dimulai {time}.|
Tinggalkan pesan setelah nada berikut.|Stasiun berikutnya: {place}.|Selamat ulang tahun, {person}!|Semoga lekas sembuh.|
Selamat hari raya!|Bab {small}.|Tamat.|Pada suatu hari, hiduplah seorang raja yang {adjective}.|Mari kita mulai.|
""")

SENTENCES = _split("""
Khayalan yang khas itu nyata.|Syarat utama adalah kejujuran dan keberanian.|Nyonya itu banyak bernyanyi dengan nyaring.|
Universitas itu mengadakan ujian akhir.|Zaman dahulu ada seorang raja yang bijaksana.|Film fiksi ilmiah itu sangat fantastis.|
Vaksin dan vitamin tersedia di apotek.|Yayasan itu membantu anak yatim piatu.|Burung-burung kecil beterbangan di angkasa.|
Kucing hitam itu mengejar tikus di dapur.|Angin kencang menerbangkan daun-daun kering.|Makanan pedas ini sungguh lezat sekali!|
Air laut berwarna biru kehijauan.|Harga beras naik lagi sejak awal bulan ini.|Gempa bumi mengguncang wilayah itu pada dini hari.|
Pemerintah berjanji memperbaiki jalan yang rusak akibat banjir.|Anak-anak berlarian mengejar layang-layang putus.|
Bahasa Indonesia dipakai dari Sabang sampai Merauke.|Gunung berapi itu kembali mengeluarkan asap tebal.|
Ibu menanak nasi, sedangkan ayah menyapu halaman.|Setiap warga negara berhak memperoleh pendidikan.|
Kereta jurusan Bandung berangkat dari jalur tiga.|Musyawarah itu berakhir tanpa keputusan yang jelas.|
Jangan lupa mematikan kompor sebelum pergi!|Barang siapa menanam, dialah yang akan memanen.|Hutan hujan adalah paru-paru dunia.|
Ia menunduk, lalu menghapus air matanya perlahan-lahan.|Ombak besar menghantam karang sepanjang malam.|
Pengetahuan tanpa perbuatan bagaikan pohon tak berbuah.|Hujan rintik-rintik membasahi bumi sejak subuh.|
Kabut tipis menyelimuti lembah di pagi yang dingin.|Perpustakaan itu menyimpan ribuan naskah kuno.|
Layar komputer saya tiba-tiba menjadi gelap.|Tolong kecilkan volume televisi itu, saya sedang belajar.|
Menurut ramalan cuaca, besok akan turun hujan lebat disertai petir.|Pasien itu harus minum obat tiga kali sehari sesudah makan.|
Ekonomi negara itu tumbuh lebih cepat daripada yang diperkirakan.|Para ilmuwan menemukan spesies katak baru di Papua.|
Warung di ujung jalan menjual soto, gado-gado, dan es cendol.|Keindahan alam Indonesia memikat wisatawan mancanegara.|
Bendera merah putih berkibar di halaman istana.|Adik menangis karena balonnya meletus.|Rumah panggung itu terbuat dari kayu ulin.|
Bayangan pohon beringin jatuh di atas kolam.|Nyamuk-nyamuk itu beterbangan di sekitar lampu.|Tangannya gemetar ketika membuka amplop.|
Ngarai yang dalam memisahkan kedua bukit.|Penghuni lama mengenang masa-masa sulit.|Syair itu dibacakan dengan khidmat.|
Kesehatan lebih berharga daripada kekayaan.|Mengapa langit berwarna biru?|Berapa lama perjalanan dari sini ke pelabuhan?|
Siapakah yang menulis surat tanpa nama ini?|Bukankah kita sudah pernah bertemu sebelumnya?|Alangkah indahnya pemandangan di sini!|
Aduh, kakiku terinjak!|Wah, hebat sekali permainanmu!|Awas, ada ular!|Berhenti!|Jangan menyerah sebelum mencoba!|
Kalau begitu, lebih baik kita pulang sekarang.|Saya tidak setuju, tetapi saya menghormati pendapat Anda.|
Sejauh mata memandang, hanya ada hamparan pasir.|Konon, danau itu dijaga seekor naga.|Maksud saya, kita perlu berhati-hati.|
Di satu sisi harga turun, di sisi lain mutu ikut menurun.|Sebenarnya, ia ingin pulang; namun, tugasnya belum selesai.|
Jadi, kesimpulannya: bersabarlah.|Bapak dan Ibu yang kami hormati, selamat datang.|Perhatian, perhatian: pintu akan segera ditutup.|
Dokumen itu harus ditandatangani oleh kedua belah pihak.|Sidang ditunda sampai pekan depan.|Perusahaan itu mempekerjakan penyandang disabilitas.|
Kecepatan cahaya jauh melebihi kecepatan suara.|Energi surya semakin murah dari tahun ke tahun.|Jaringan internet di desa kami masih lambat.|
Sejak kecil ia gemar mendengarkan cerita neneknya tentang raja-raja Jawa.|Pasar itu mulai ramai sebelum ayam berkokok.|
Para nelayan pulang membawa tongkol, cakalang, dan kerapu.|Ratusan penumpang terlantar karena penerbangan dibatalkan.|
Mereka berjalan beriringan menyusuri pematang sawah.|Ketukan palu hakim menandai berakhirnya persidangan.|
Sungai Mahakam mengalir melewati kota Samarinda.|Penduduk pesisir menggantungkan hidup pada hasil laut.|
Rasa rendang yang gurih terkenal sampai ke mancanegara.|Jangan membuang sampah sembarangan, nanti banjir!|
Di luar jendela, bulan purnama tampak bulat dan kuning.|Seekor elang berputar-putar di atas bukit gundul.|
Ibu kota negara akan dipindahkan ke Kalimantan Timur.|Para pengunjuk rasa membubarkan diri dengan tertib.|
Dokter menyarankan agar pasien beristirahat selama seminggu.|Obat ini tidak boleh diminum bersama susu.|
Anggaran pendidikan dinaikkan menjadi seperlima dari belanja negara.|Perjanjian itu disepakati setelah perundingan yang alot.|
Tim nasional menang tipis berkat gol pada menit terakhir.|Penonton bersorak-sorai ketika wasit meniup peluit panjang.|
Kami menyesal tidak dapat memenuhi permintaan Saudara.|Dengan hormat, bersama surat ini kami sampaikan laporan tahunan.|
Tombol merah untuk berhenti, tombol hijau untuk mulai.|Pintu kanan akan dibuka; perhatikan langkah Anda.|
Terowongan itu menghubungkan dua lembah yang terpisah.|Bunyi gamelan terdengar sayup-sayup dari pendapa.|
Cahaya matahari menembus celah-celah dedaunan.|Kakek menyulut pipanya, lalu mulai bercerita.|
Apakah engkau masih ingat janji kita di bawah pohon asam itu?|Ke manakah perginya burung-burung pada musim dingin?|
Sanggupkah kita menyelesaikannya sebelum fajar?|Bagaimana mungkin air mengalir ke atas?|Siapa namamu, dan dari mana asalmu?|
Bukan main harumnya bunga kenanga ini!|Syukurlah, semua penumpang selamat!|Nah, itu dia yang kucari!|Sst, jangan berisik!|
Ya ampun, tasku tertinggal di kereta!|Silakan, Bu, kursinya masih kosong.|Oh, begitu rupanya.|Lho, kok sudah pulang?|
Ubah kata sandi Anda secara berkala demi keamanan.|Unduhan selesai; buka berkasnya sekarang?|Sinyal di pegunungan sering hilang.|
Suhu tubuhnya turun naik sejak kemarin.|Ilmu pengetahuan berkembang karena rasa ingin tahu.|Gerhana matahari total terjadi sekali dalam beberapa dasawarsa.|
Batu bara, nikel, dan timah diekspor dari pelabuhan itu.|Kain songket ditenun dengan benang emas.|Ombaknya tenang, anginnya sejuk, dan langitnya jernih.|
Yang penting bukan menang atau kalah, melainkan kejujuran.|Walau hujan, walau badai, ia tetap datang.|Semakin tinggi pohon, semakin kencang angin menerpanya.|
Berakit-rakit ke hulu, berenang-renang ke tepian.|Sedikit demi sedikit, lama-lama menjadi bukit.|Tak ada gading yang tak retak.|
Ada udang di balik batu.|Air beriak tanda tak dalam.|Bagai pungguk merindukan bulan.|Besar pasak daripada tiang.|
Gajah di pelupuk mata tak tampak, semut di seberang lautan tampak.|Nasi sudah menjadi bubur.|Sekali mendayung, dua tiga pulau terlampaui.|
Silakan masukkan kata sandi Anda.|Baterai ponsel saya hampir habis.|Data itu disimpan dengan aman di pusat data.|
""")
