//! Classes of words, as sets: the names are the keys of the word lists in `config/locale`.

use crate::keyed::keyed;

keyed! {
    /// A class of words; a word may be in several.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[repr(u8)]
    Class {
    Determiner = "determiner", Pronoun = "pronoun", Preposition = "preposition", Conjunction = "conjunction",
    Auxiliary = "auxiliary", Adverb = "adverb", Interrogative = "interrogative", Negation = "negation",
    PlacePreposition = "place_preposition",
    Month = "month", Weekday = "weekday",
    Say = "say", Deny = "deny", Allege = "allege", Promise = "promise", Predict = "predict", Judge = "judge",
    Witness = "witness", Call = "call",
    AttributionCue = "attribution_cue", HearsayCue = "hearsay_cue", AllegeCue = "allege_cue", Hedge = "hedge",
    AnalysisCue = "analysis_cue", FirstPerson = "first_person", AnonymousSource = "anonymous_source",
    Relayed = "relayed",
    Order = "order",
    Reject = "reject", Contention = "contention", Condition = "condition", Modal = "modal",
    FictionWork = "fiction_work", FictionCue = "fiction_cue", Credit = "credit", Furniture = "furniture",
    Future = "future", ForecastCue = "forecast_cue", PromiseCue = "promise_cue",
    PastSuffix = "past_suffix", PlanForm = "plan_form", PassiveInfinitive = "passive_infinitive",
    TimePreposition = "time_preposition",
    Blame = "blame",
    Violence = "violence", Actor = "actor",
    Honorific = "honorific", Title = "title", NameSuffix = "name_suffix", Particle = "particle",
    OrgSuffix = "org_suffix", OrgHead = "org_head", OrgLead = "org_lead", OrgHeadWeak = "org_head_weak", OutletLead = "outlet_lead", OrgModifier = "org_modifier",
    OrgAcronym = "org_acronym", OrgRole = "org_role",
    PlaceHead = "place_head", PlaceLead = "place_lead", Compass = "compass", SaintPrefix = "saint_prefix",
    OtherHead = "other_head", OutletHead = "outlet_head", DemonymSuffix = "demonym_suffix", PlaceSuffix = "place_suffix",
    PersonVerb = "person_verb", PersonNoun = "person_noun", OrgVerb = "org_verb", Born = "born",
    Unit = "unit", Scale = "scale", Approximate = "approximate",
    NumberSkip = "number_skip", Connective = "connective", Tag = "tag", PlainAcronym = "plain_acronym", GenericModifier = "generic_modifier", Common = "common",
    Given = "given", Surname = "surname", Place = "place", Demonym = "demonym", RelativeDay = "relative_day",
    }
}

/// A set of classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassSet(u128);

impl ClassSet {
    pub const EMPTY: ClassSet = ClassSet(0);
    /// Words without content of their own.
    pub const FUNCTION: ClassSet = ClassSet::from_classes(&[
        Class::Determiner,
        Class::Pronoun,
        Class::Preposition,
        Class::Conjunction,
        Class::Auxiliary,
        Class::Adverb,
        Class::Interrogative,
    ]);
    /// Lists whose members are inflected like verbs and nouns.
    pub const INFLECTED: ClassSet = ClassSet::from_classes(&[
        Class::Common,
        Class::Say,
        Class::Deny,
        Class::Reject,
        Class::Contention,
        Class::Allege,
        Class::Promise,
        Class::Predict,
        Class::Judge,
        Class::Witness,
        Class::Call,
        Class::Violence,
        Class::Actor,
        Class::AnonymousSource,
    ]);
    /// Verbs that name a speaker's act.
    pub const SPEECH: ClassSet = ClassSet::from_classes(&[
        Class::Say,
        Class::Deny,
        Class::Reject,
        Class::Allege,
        Class::Promise,
        Class::Predict,
        Class::Judge,
        Class::Witness,
        Class::Call,
    ]);

    pub const fn from_classes(classes: &[Class]) -> ClassSet {
        let mut bits = 0;
        let mut at = 0;
        while at < classes.len() {
            bits |= 1 << (classes[at] as u8);
            at += 1;
        }
        ClassSet(bits)
    }

    pub const fn has(self, class: Class) -> bool {
        self.0 & (1 << (class as u8)) != 0
    }

    pub const fn any(self, of: ClassSet) -> bool {
        self.0 & of.0 != 0
    }

    pub const fn and(self, other: ClassSet) -> ClassSet {
        ClassSet(self.0 & other.0)
    }

    pub const fn with(self, other: ClassSet) -> ClassSet {
        ClassSet(self.0 | other.0)
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}
