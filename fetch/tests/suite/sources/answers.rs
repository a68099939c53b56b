//! Expected requests and responses of each provider for `grain "port vell"`, two hits per page.

use super::Reply;

type Bounds = (Option<String>, Option<String>, Option<String>);

pub struct Case {
    pub id: &'static str,
    pub key: Option<&'static str>,
    pub bounds: Bounds,
    pub replies: Vec<Reply>,
    pub asked: Vec<String>,
    pub hits: Vec<String>,
}

const WORDS: &str = "grain+%22port+vell%22";

fn none() -> Bounds {
    (None, None, None)
}

fn march() -> Bounds {
    (Some("2031-03-01".into()), Some("2031-03-31".into()), None)
}

fn case(id: &'static str, bounds: Bounds, replies: &[&str], asked: &[String], hits: &[&str]) -> Case {
    Case {
        id,
        key: None,
        bounds,
        replies: replies.iter().map(|body| Reply::json(body)).collect(),
        asked: asked.to_vec(),
        hits: hits.iter().map(|hit| (*hit).to_owned()).collect(),
    }
}

fn with_key(case: Case) -> Case {
    Case { key: Some("secret"), ..case }
}

pub fn cases() -> Vec<Case> {
    let mut cases = news();
    cases.extend(official());
    cases.extend(research());
    cases.extend(keyed());
    cases
}

fn news() -> Vec<Case> {
    let gdelt = |page: &str, end: &str| {
        format!(
            "GET /api/v2/doc/doc?query={WORDS}+sourcelang%3Aspanish&mode=artlist&format=json&sort=datedesc&maxrecords=2\
             &startdatetime=20310301000000&enddatetime={end}{page}"
        )
    };
    let (since, until, _) = march();
    vec![
        case(
            "gdelt",
            (since, until, Some("es".into())),
            &[
                r#"{"articles":[{"url":"https://d.example/1","url_mobile":"","title":"Puerto cerrado","seendate":"20310314T094500Z",
                  "socialimage":"","domain":"d.example","language":"Spanish","sourcecountry":"Spain"},
                  {"url":"https://d.example/2","title":"Grano","seendate":"20310314T091500Z","domain":"d.example","language":"Spanish"}]}"#,
                "{}",
            ],
            &[gdelt("", "20310331235959"), gdelt("", "20310314091459")],
            &[
                "Puerto cerrado | https://d.example/1 | - | d.example | - | es",
                "Grano | https://d.example/2 | - | d.example | - | es",
            ],
        ),
        case(
            "hacker_news",
            march(),
            &[
                r#"{"hits":[{"objectID":"41","title":"Grain by sea","url":"https://b.example/x","author":"ana","points":3,
                  "created_at":"2031-03-14T09:00:00Z","created_at_i":1931677200},
                  {"objectID":"42","title":"Ask: which port?","author":"luis","story_text":"<p>Port Vell?","created_at":"2031-03-15T09:00:00Z"}],
                  "nbHits":3,"page":0,"nbPages":2,"hitsPerPage":2}"#,
                r#"{"hits":[{"objectID":"43","title":"Fog","url":"https://b.example/y","author":"eva"}],"nbHits":3,"page":1,"nbPages":2}"#,
            ],
            &[0, 1].map(|page| {
                format!(
                    "GET /api/v1/search?query={WORDS}&tags=story&hitsPerPage=2&page={page}\
                     &numericFilters=created_at_i%3E%3D1930089600%2Ccreated_at_i%3C1932768000"
                )
            }),
            &[
                "Grain by sea | https://b.example/x | - | - | ana | -",
                "Ask: which port? | https://news.ycombinator.com/item?id=42 | 2031-03-15 | - | luis | -",
                "Fog | https://b.example/y | - | - | eva | -",
            ],
        ),
        case(
            "searxng",
            none(),
            &[
                r#"{"query":"grain","number_of_results":0,"results":[{"url":"https://p.example/1","title":"Gates shut",
                  "content":"Twelve ships","engine":"x","publishedDate":"2031-03-14T00:00:00","score":1.0}],"unresponsive_engines":[]}"#,
                r#"{"results":[]}"#,
            ],
            &[1, 2].map(|page| format!("GET /search?q={WORDS}&format=json&pageno={page}")),
            &["Gates shut | https://p.example/1 | 2031-03-14 | - | - | -"],
        ),
    ]
}

fn official() -> Vec<Case> {
    let register = |page: u32| {
        format!(
            "GET /api/v1/documents.json?conditions%5Bterm%5D={WORDS}&conditions%5Bpublication_date%5D%5Bgte%5D=2031-03-01\
             &conditions%5Bpublication_date%5D%5Blte%5D=2031-03-31&order=relevance&per_page=2&page={page}"
        )
    };
    let courts = |cursor: &str| {
        format!(
            "GET /api/rest/v4/search/?q={WORDS}&type=o&order_by=score+desc&filed_after=2031-03-01&filed_before=2031-03-31{cursor}"
        )
    };
    vec![
        case(
            "sec_edgar",
            march(),
            &[
                r#"{"took":5,"hits":{"total":{"value":2,"relation":"eq"},"hits":[{"_index":"edgar_file","_id":"0001193125-31-000042:ex99.htm",
                  "_score":9.1,"_source":{"ciks":["0000320193"],"display_names":["Vell Grain Inc.  (VELL)  (CIK 0000320193)"],"form":"8-K",
                  "root_forms":["8-K"],"file_type":"EX-99.1","file_description":"PRESS RELEASE","file_date":"2031-03-14","adsh":"0001193125-31-000042"}}]}}"#,
                r#"{"hits":{"total":{"value":2,"relation":"eq"},"hits":[]}}"#,
            ],
            &[0, 1].map(|from| {
                format!("GET /LATEST/search-index?q={WORDS}&from={from}&dateRange=custom&startdt=2031-03-01&enddt=2031-03-31")
            }),
            &[
                "EX-99.1 of Vell Grain Inc.  (VELL)  (CIK 0000320193) | https://www.sec.gov/Archives/edgar/data/320193/000119312531000042/ex99.htm \
               | 2031-03-14 | SEC EDGAR | Vell Grain Inc.  (VELL)  (CIK 0000320193) | -",
            ],
        ),
        case(
            "federal_register",
            march(),
            &[
                r#"{"count":3,"description":"…","total_pages":2,"next_page_url":"https://elsewhere.example/","results":[
                  {"title":"Grain Inspection","type":"Rule","abstract":"Fees.","document_number":"2031-1","html_url":"https://f.example/1",
                  "publication_date":"2031-03-14","agencies":[{"raw_name":"USDA","name":"Agriculture Department"}],"excerpts":null}]}"#,
                r#"{"count":3,"total_pages":2,"results":[]}"#,
            ],
            &[register(1), register(2)],
            &["Grain Inspection | https://f.example/1 | 2031-03-14 | Federal Register | Agriculture Department | en"],
        ),
        case(
            "court_listener",
            march(),
            &[
                r#"{"count":2,"next":"https://elsewhere.example/api/?cursor=abc%3D&q=x","previous":null,"results":[{"absolute_url":"/opinion/7/vell/",
                  "caseName":"Vell v. Grain","court":"Supreme Court","dateFiled":"2031-03-14","judge":"Ruiz","opinions":[{"snippet":"\nAffirmed\n"}]}]}"#,
                r#"{"count":2,"next":null,"results":[]}"#,
            ],
            &[courts(""), courts("&cursor=abc%3D")],
            &["Vell v. Grain | BASEopinion/7/vell/ | 2031-03-14 | Supreme Court | Ruiz | en"],
        ),
        with_key(case(
            "reliefweb",
            march(),
            &[
                r#"{"time":9,"totalCount":1,"count":1,"data":[{"id":"9","score":1,"href":"https://api.example/9","fields":{"title":"Port update",
               "url":"https://r.example/9","date":{"original":"2031-03-14T00:00:00+00:00"},"source":[{"name":"OCHA"},{"name":"WFP"}],
               "language":[{"code":"en"}]}}]}"#,
            ],
            &[format!(
                "GET /v2/reports?appname=secret&query%5Bvalue%5D={WORDS}&query%5Boperator%5D=AND&limit=2&offset=0\
                 &fields%5Binclude%5D%5B%5D=title&fields%5Binclude%5D%5B%5D=url&fields%5Binclude%5D%5B%5D=date.original\
                 &fields%5Binclude%5D%5B%5D=source.name&fields%5Binclude%5D%5B%5D=language.code&filter%5Bfield%5D=date.original\
                 &filter%5Bvalue%5D%5Bfrom%5D=2031-03-01T00%3A00%3A00%2B00%3A00&filter%5Bvalue%5D%5Bto%5D=2031-03-31T23%3A59%3A59%2B00%3A00"
            )],
            &["Port update | https://r.example/9 | 2031-03-14 | OCHA, WFP | - | en"],
        )),
    ]
}

fn research() -> Vec<Case> {
    let wikipedia = |offset: u32| {
        format!(
            "GET /w/api.php?action=query&list=search&format=json&formatversion=2&srsearch={WORDS}&srlimit=2&sroffset={offset}"
        )
    };
    let arxiv = |start: u32| {
        format!(
            "GET /api/query?search_query=all%3Agrain+AND+all%3A%22port+vell%22+AND+submittedDate%3A%5B203103010000+TO+203103312359%5D\
             &start={start}&max_results=2&sortBy=relevance"
        )
    };
    let github = |page: u32| {
        format!(
            "GET /search/repositories?q={WORDS}+pushed%3A2031-03-01..2031-03-31&per_page=2&page={page} x-github-api-version: 2022-11-28"
        )
    };
    let preprint = |n: u32| {
        format!(
            "<entry><id>http://arxiv.org/abs/3103.0000{n}v1</id><published>2031-03-14T09:00:00Z</published><title>Grain\n  flow {n}</title>\
             <summary> We show\n it. </summary><author><name>Ana Ruiz</name></author><author><name>Luis Gil</name></author>\
             <link href=\"http://arxiv.org/abs/3103.0000{n}v1\" rel=\"alternate\" type=\"text/html\"/>\
             <link title=\"pdf\" href=\"http://arxiv.org/pdf/3103.0000{n}v1\" rel=\"related\" type=\"application/pdf\"/></entry>"
        )
    };
    let atom = |entries: String| {
        format!(
            "<?xml version='1.0' encoding='UTF-8'?><feed xmlns='http://www.w3.org/2005/Atom'><title>ArXiv Query</title>{entries}</feed>"
        )
    };
    let (first, second) = (atom(preprint(1) + &preprint(2)), atom(preprint(3)));
    vec![
        case(
            "wikipedia",
            none(),
            &[
                r#"{"batchcomplete":true,"continue":{"sroffset":2,"continue":"-||"},"query":{"searchinfo":{"totalhits":3},"search":[
                  {"ns":0,"title":"Port Vell (town)","pageid":7,"size":9,"wordcount":2,"snippet":"A <span class=\"searchmatch\">port</span> &amp; town",
                  "timestamp":"2031-03-14T00:00:00Z"}]}}"#,
                r#"{"query":{"searchinfo":{"totalhits":3},"search":[]}}"#,
            ],
            &[wikipedia(0), wikipedia(2)],
            &["Port Vell (town) | BASEwiki/Port_Vell_(town) | - | Wikipedia | - | -"],
        ),
        case(
            "wikidata",
            none(),
            &[
                r#"{"searchinfo":{"search":"x"},"search":[{"id":"Q42","title":"Q42","pageid":1,"concepturi":"http://www.wikidata.org/entity/Q42",
                  "url":"//www.wikidata.org/wiki/Q42","label":"Port Vell","description":"town"}],"search-continue":2,"success":1}"#,
                r#"{"search":[],"success":1}"#,
            ],
            &[0, 2].map(|offset| {
                format!(
                    "GET /w/api.php?action=wbsearchentities&format=json&type=item&language=en&uselang=en&search={WORDS}&limit=2&continue={offset}"
                )
            }),
            &["Port Vell | BASEwiki/Q42 | - | Wikidata | - | -"],
        ),
        case(
            "arxiv",
            march(),
            &[&first, &second],
            &[arxiv(0), arxiv(2)],
            &[
                "Grain flow 1 | http://arxiv.org/abs/3103.00001v1 | 2031-03-14 | arXiv | Ana Ruiz, Luis Gil | en",
                "Grain flow 2 | http://arxiv.org/abs/3103.00002v1 | 2031-03-14 | arXiv | Ana Ruiz, Luis Gil | en",
                "Grain flow 3 | http://arxiv.org/abs/3103.00003v1 | 2031-03-14 | arXiv | Ana Ruiz, Luis Gil | en",
            ],
        ),
        case(
            "github",
            march(),
            &[
                r#"{"total_count":3,"incomplete_results":false,"items":[{"full_name":"vell/grain","html_url":"https://g.example/vell/grain",
                  "description":null,"owner":{"login":"vell"},"pushed_at":"2031-03-14T00:00:00Z"}]}"#,
                r#"{"total_count":3,"items":[]}"#,
            ],
            &[github(1), github(2)],
            &["vell/grain | https://g.example/vell/grain | - | GitHub | vell | -"],
        ),
        with_key(case(
            "openalex",
            march(),
            &[r#"{"meta":{"count":1,"page":1,"per_page":2},"results":[{"id":"https://openalex.org/W1","doi":"https://doi.org/10.1/x",
               "display_name":"Grain by sea","publication_date":"2031-03-14","language":"en","authorships":[{"author":{"display_name":"Ana Ruiz"}}],
               "primary_location":{"landing_page_url":null,"source":{"display_name":"Journal of Ports"}},
               "abstract_inverted_index":{"ships":[1],"Grain":[0]}}]}"#],
            &[format!(
                "GET /works?search={WORDS}&filter=from_publication_date%3A2031-03-01%2Cto_publication_date%3A2031-03-31&per_page=2&page=1&api_key=secret"
            )],
            &["Grain by sea | https://doi.org/10.1/x | 2031-03-14 | Journal of Ports | Ana Ruiz | en"],
        )),
    ]
}

fn keyed() -> Vec<Case> {
    let brave = |offset: u32| {
        format!(
            "GET /res/v1/web/search?q={WORDS}&count=2&offset={offset}&freshness=2031-03-01to2031-03-31 x-subscription-token: secret"
        )
    };
    let news = |page: u32| {
        format!(
            "GET /v2/everything?q={WORDS}&from=2031-03-01&to=2031-03-31&sortBy=publishedAt&pageSize=2&page={page} x-api-key: secret"
        )
    };
    let reddit = |after: &str| {
        format!("GET /search?q={WORDS}&sort=new&type=link&raw_json=1&limit=2{after} authorization: Bearer token-1")
    };
    vec![
        with_key(case(
            "brave",
            march(),
            &[
                r#"{"type":"search","query":{"original":"x","more_results_available":true},"web":{"type":"search","results":[{"title":"Gates <strong>shut</strong>",
                  "url":"https://p.example/1","description":"Twelve ships","page_age":"2031-03-14T09:00:00","language":"en","profile":{"name":"Post"}}]}}"#,
                r#"{"type":"search","query":{"more_results_available":false},"web":{"results":[]}}"#,
            ],
            &[brave(0), brave(1)],
            &["Gates shut | https://p.example/1 | 2031-03-14 | Post | - | en"],
        )),
        with_key(case(
            "tavily",
            march(),
            &[r#"{"query":"x","answer":null,"results":[{"title":"Gates shut","url":"https://p.example/1","content":"Twelve ships wait.",
               "score":0.9,"raw_content":null}],"response_time":1.0}"#],
            &["POST /search authorization: Bearer secret {\"end_date\":\"2031-03-31\",\"max_results\":2,\"query\":\"grain \\\"port vell\\\"\",\
               \"search_depth\":\"basic\",\"start_date\":\"2031-03-01\"}"
                .to_owned()],
            &["Gates shut | https://p.example/1 | - | - | - | -"],
        )),
        with_key(case(
            "news_api",
            march(),
            &[
                r#"{"status":"ok","totalResults":3,"articles":[{"source":{"id":null,"name":"Post"},"author":"Ana Ruiz","title":"Gates shut",
                  "description":"Twelve ships","url":"https://p.example/1","publishedAt":"2031-03-14T09:00:00Z","content":"…"}]}"#,
                r#"{"status":"ok","totalResults":3,"articles":[]}"#,
            ],
            &[news(1), news(2)],
            &["Gates shut | https://p.example/1 | 2031-03-14 | Post | Ana Ruiz | -"],
        )),
        with_key(case(
            "reddit",
            none(),
            &[
                r#"{"access_token":"token-1","token_type":"bearer","expires_in":86400,"scope":"*"}"#,
                r#"{"kind":"Listing","data":{"after":"t3_b","children":[{"kind":"t3","data":{"title":"Port shut?","permalink":"/r/ports/comments/a/x/",
                  "selftext":"Why?","author":"ana","subreddit_name_prefixed":"r/ports","created_utc":1931677200.0,"name":"t3_a"}}]}}"#,
                r#"{"kind":"Listing","data":{"after":null,"children":[]}}"#,
            ],
            &[
                "POST /api/v1/access_token authorization: Basic c2VjcmV0 grant_type=client_credentials".to_owned(),
                reddit(""),
                reddit("&after=t3_b"),
            ],
            &["Port shut? | https://www.reddit.com/r/ports/comments/a/x/ | 2031-03-19 | r/ports | ana | -"],
        )),
    ]
}
